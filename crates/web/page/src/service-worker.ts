/**
 * Keeps the page for use without a network. Files whose names carry a hash of their content come from the
 * store; the others from the network, and from the store where there is none. The engine is stored when it
 * was used once.
 */
declare const self: ServiceWorkerGlobalScope;
declare const __FILES__: string[];
declare const __VERSION__: string;

const name = `yomikiri-${__VERSION__}`;

self.addEventListener("install", (event) => {
    event.waitUntil(
        caches
            .open(name)
            .then((cache) => cache.addAll(__FILES__))
            .then(() => self.skipWaiting()),
    );
});

self.addEventListener("activate", (event) => {
    const old = async () => {
        const names = await caches.keys();
        await Promise.all(names.filter((n) => n.startsWith("yomikiri-") && n !== name).map((n) => caches.delete(n)));
        await self.clients.claim();
    };
    event.waitUntil(old());
});

async function fromNetwork(request: Request): Promise<Response> {
    const cache = await caches.open(name);
    try {
        const response = await fetch(request);
        if (response.ok) await cache.put(request, response.clone());
        return response;
    } catch (error) {
        const stored = await cache.match(request, { ignoreSearch: true });
        if (stored) return stored;
        throw error;
    }
}

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== self.location.origin) return;
    if (url.pathname.includes("/assets/")) {
        event.respondWith(caches.match(request).then((stored) => stored ?? fromNetwork(request)));
    } else {
        event.respondWith(fromNetwork(request));
    }
});

export {};
