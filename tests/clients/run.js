/* Starts one daemon with the test landscapes, tries each client of the table on it, and prints a
 * verdict line a client, after what it found, a line each.
 *
 *   NODE_PATH=ROOM/node_modules node run.js LANDSCAPED ROOM [CLIENT…]
 */
'use strict';

const fs = require('fs');
const path = require('path');
const clients = require('./clients');
const { startBrowser } = require('./browser');
const { startDaemon } = require('./daemon');
const { startPages } = require('./pages');
const landscapes = require('./landscapes');

const CLIENT_SECONDS = 300;

function versionOf(modules, name) {
    return JSON.parse(fs.readFileSync(path.join(modules, name, 'package.json'))).version;
}

function within(seconds, work) {
    let timer;
    const late = new Promise((_, fail) => {
        timer = setTimeout(() => fail(new Error(`not done within ${seconds} s`)), seconds * 1000);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function tryClient(client, bench) {
    const title = `clients/${client.name}`;
    const versions = [...client.packages.map((name) => `${name} ${versionOf(bench.modules, name)}`),
                      ...(client.versions?.() ?? [])];
    const began = Date.now();

    try {
        const found = await within(CLIENT_SECONDS, client.run(bench));
        const took = ((Date.now() - began) / 1000).toFixed(1);
        for (const line of found)
            console.log(`CLIENT ${client.name}: ${line}`);
        console.log(`PASS: ${title} (${versions.join(', ')}; ${client.loads}; ${took} s)`);
        return true;
    } catch (why) {
        console.log(`FAIL: ${title} (${versions.join(', ')}; ${client.loads})`);
        console.log(`      ${why.stack}`);
        return false;
    }
}

async function main() {
    const [daemonPath, room, ...names] = process.argv.slice(2);
    const modules = path.join(room, 'node_modules');
    const pictures = path.join(room, 'pictures');
    const chosen = clients.filter((client) => !names.length || names.includes(client.name));
    const open = [];
    let passed = 0;

    /* Keeps what a canvas shows, by its data URL. */
    function keep(name, url) {
        fs.writeFileSync(path.join(pictures, `${name}.png`), Buffer.from(url.split(',')[1], 'base64'));
    }

    if (!chosen.length || names.some((name) => !clients.find((client) => client.name === name)))
        throw new Error(`clients are ${clients.map((client) => client.name).join(', ')}`);
    fs.mkdirSync(pictures, { recursive: true });
    try {
        const pages = await startPages(modules);
        open.push(pages);
        const daemon = await startDaemon(daemonPath, ['--cors-origin', pages.origin]);
        open.push(daemon);
        const browser = await startBrowser(pages, daemon);
        open.push(browser);
        console.log(`CLIENT browser: Chromium ${browser.version}, node ${process.version}, pictures in ${pictures}`);
        await landscapes.make(daemon);
        for (const client of chosen)
            passed += await tryClient(client, { daemon, browser, modules, keep });
    } finally {
        while (open.length)
            await open.pop().stop();
    }
    console.log(`# TOTAL: ${chosen.length}\n# PASS: ${passed}\n# FAIL: ${chosen.length - passed}`);
    if (passed < chosen.length)
        process.exitCode = 1;
}

main().catch((why) => {
    console.log(`ERROR: clients ${why.stack}`);
    process.exitCode = 1;
});
