// Starts Swagger UI with the settings that stand in the page as JSON.
const settings = JSON.parse(document.getElementById("settings").textContent);
window.ui = SwaggerUIBundle({ presets: [SwaggerUIBundle.presets.apis], ...settings });
