window.uncaught = 0;
const count = () => (window.uncaught += 1);
addEventListener("error", count);
addEventListener("unhandledrejection", count);
