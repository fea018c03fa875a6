// Starts Swagger UI with the settings that stand in the page as JSON, dark where the reader prefers it.
const settings = JSON.parse(document.getElementById("settings").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

// A link inside a button cannot be reached by everybody: the name of an operation is text, and its button sets the
// address. The list of servers has no label of its own.
const accessible = {
  wrapComponents: {
    DeepLink: (_, { React }) => ({ text }) => React.createElement("span", {}, text),
    Servers: (Servers, { React }) => (properties) => {
      React.useEffect(() => {
        document.getElementById("servers")?.setAttribute("aria-label", "Server");
      });
      return React.createElement(Servers, properties);
    },
  },
};
window.ui = SwaggerUIBundle({
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [accessible],
  ...settings,
});
