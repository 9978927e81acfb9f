// Gives the keyboard to the terminal once it draws: without a click the first keys would be lost.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const watcher = new MutationObserver(() => {
    const keys = document.querySelector(".xterm-helper-textarea");
    if (keys && document.body.classList.contains("-first-byte")) {
      watcher.disconnect();
      keys.focus();
    }
  });
  watcher.observe(document.body, { attributes: true, attributeFilter: ["class"] });
});
