import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";

mount(App, { target: document.getElementById("app")! });

if (import.meta.env.PROD && "serviceWorker" in navigator) {
    // Without it the page works as long as there is a network.
    navigator.serviceWorker.register("./service-worker.js").catch(() => {});
}
