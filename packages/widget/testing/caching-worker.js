/** A service worker that answers from its cache first, whatever `Cache-Control` says: those of many sites do. Registered with the
 *  query `ignore-search`, it takes no notice of the query of a request. */

/* global self */

const ignoreSearch = self.location.search === '?ignore-search';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || request.mode === 'navigate') return;
  event.respondWith(self.caches.open('all').then(async (all) => {
    const known = await all.match(request, { ignoreSearch });
    if (known) return known;
    const response = await self.fetch(request);
    await all.put(request, response.clone());
    return response;
  }));
});
