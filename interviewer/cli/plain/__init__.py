"""Line-based front ends without boxes or escape codes, for pipes, scripts and screen readers."""
