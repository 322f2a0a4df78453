/* The pages' own server: an empty page, and the clients' files as npm has installed them. */
'use strict';

const fs = require('fs');
const http = require('http');
const path = require('path');

const TYPES = {
    '.css': 'text/css', '.html': 'text/html', '.jpg': 'image/jpeg', '.js': 'text/javascript',
    '.json': 'application/json', '.mjs': 'text/javascript', '.png': 'image/png',
    '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.xml': 'text/xml',
};
const PAGE = `<!doctype html><meta charset="utf-8"><title>client</title><link rel="icon" href="data:,">
<style>html, body, #view { margin: 0; width: 100%; height: 100%; background: #fff }</style>
<script type="importmap">{ "imports": {
    "three": "/modules/three/build/three.module.js",
    "three/addons/": "/modules/three/examples/jsm/" } }</script>
<div id="view"></div>`;

function startPages(modules) {
    const server = http.createServer((request, answer) => {
        const target = decodeURIComponent(new URL(request.url, 'http://page').pathname);
        const file = path.join(modules, target.replace(/^\/modules\//, ''));

        if (target === '/') {
            answer.writeHead(200, { 'Content-Type': 'text/html' });
            answer.end(PAGE);
        } else if (target.startsWith('/modules/') && file.startsWith(modules + path.sep) &&
                   fs.existsSync(file) && fs.statSync(file).isFile()) {
            answer.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] || 'text/plain' });
            fs.createReadStream(file).pipe(answer);
        } else {
            answer.writeHead(404);
            answer.end();
        }
    });

    return new Promise((done) => server.listen(0, '127.0.0.1', () => done({
        origin: `http://127.0.0.1:${server.address().port}`,
        stop: () => new Promise((stopped) => {
            server.close(stopped);
            server.closeAllConnections?.();
        }),
    })));
}

module.exports = { startPages };
