// Light or dark: as the system says, until the reader chooses by the button in the head of a page.
// This takes the place of the theme's own script, which Debian ships as a module that browsers refuse;
// the style that follows the system is missing there as well.
"use strict";
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  // a browser may refuse to keep anything
  const stored = (what) => {
    try {
      return what();
    } catch {
      return null;
    }
  };
  let chosen = stored(() => localStorage.getItem("theme"));
  const show = () => {
    const known = chosen === "dark" || chosen === "light";
    document.body.dataset.theme = known ? chosen : system.matches ? "dark" : "light";
  };
  show();
  system.addEventListener("change", show);
  document.documentElement.classList.remove("no-js");
  for (const button of document.getElementsByClassName("theme-toggle"))
    button.addEventListener("click", () => {
      chosen = document.body.dataset.theme === "dark" ? "light" : "dark";
      show();
      stored(() => localStorage.setItem("theme", chosen));
    });
})();
