"""All of this project's code that enters a sandbox; it imports torch, safetensors and the standard library only."""
