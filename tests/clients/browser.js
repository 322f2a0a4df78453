/* Chromium without a screen, drawing in software; it reaches the pages and the daemon alone.
 *
 * A page keeps a list of what went wrong on it: requests that failed or were refused, requests to
 * anywhere else, what the console calls an error, exceptions. */
'use strict';

const { chromium } = require('playwright-core');

const WIDTH = 640;
const HEIGHT = 480;
const SWITCHES = [
    '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist', '--disable-dev-shm-usage', '--disable-background-networking',
    '--disable-component-update', '--no-proxy-server',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

function watch(page, homes) {
    const faults = [];
    const ours = (address) => /^(blob|data):/.test(address) ||
        homes.some((home) => address.startsWith(home + '/'));

    page.on('request', (request) => {
        if (!ours(request.url()))
            faults.push(`asks for ${request.url()}`);
    });
    page.on('requestfailed', (request) => {
        /* What the client itself gives up, and streams that it closes, are no failures. */
        if (request.failure()?.errorText !== 'net::ERR_ABORTED')
            faults.push(`${request.url()}: ${request.failure()?.errorText}`);
    });
    page.on('response', (response) => {
        if (response.status() >= 400)
            faults.push(`${response.url()}: ${response.status()}`);
    });
    page.on('console', (message) => {
        if (message.type() === 'error')
            faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`exception: ${error.stack}`));
    return faults;
}

async function startBrowser(pages, daemon) {
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
        headless: true,
        chromiumSandbox: false,
        args: SWITCHES,
    });

    /* Runs `work(page)` on an empty page, and fails if anything went wrong on it. */
    async function visit(work) {
        const context = await browser.newContext({ viewport: { width: WIDTH, height: HEIGHT } });
        try {
            const page = await context.newPage();
            const faults = watch(page, [pages.origin, daemon.url]);
            let found;

            await page.goto(pages.origin + '/');
            try {
                found = await work(page);
            } catch (why) {
                throw faults.length ? new Error(`${why.stack}\n${faults.join('\n')}`) : why;
            }
            if (faults.length)
                throw new Error(faults.join('\n'));
            return found;
        } finally {
            await context.close();
        }
    }
    return { version: browser.version(), origin: pages.origin, visit, stop: () => browser.close() };
}

module.exports = { startBrowser };
