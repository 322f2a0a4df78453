/* A daemon of our own, on a free loopback port and a fresh folder, and how to ask it things. */
'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const START_SECONDS = 60;
const STOP_SECONDS = 30;

/* Resolves to the address in the line that says where it listens. */
function listening(child, logPath) {
    return new Promise((done, fail) => {
        const no = (why) => fail(new Error(`the daemon ${why}:\n${fs.readFileSync(logPath, 'utf8')}`));
        const timer = setTimeout(() => no('did not start'), START_SECONDS * 1000);
        let said = '';

        child.stdout.on('data', (data) => {
            const line = (said += data).match(/^landscaped listening on (\S+)\n/m);
            if (line) {
                clearTimeout(timer);
                done(line[1]);
            }
        });
        child.on('exit', (code) => {
            clearTimeout(timer);
            no(`ended with ${code}`);
        });
        child.on('error', fail);
    });
}

async function startDaemon(program, options) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'clients-'));
    const logPath = path.join(folder, 'log');
    const log = fs.openSync(logPath, 'w');
    const child = spawn(program,
        ['--listen', '127.0.0.1:0', '--data', path.join(folder, 'data'), ...options],
        { stdio: ['ignore', 'pipe', log] });
    const ended = new Promise((done) => child.on('exit', (code) => done(code)));

    async function stop() {
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS * 1000);
        const code = await ended;
        clearTimeout(timer);
        fs.rmSync(folder, { recursive: true, force: true });
        if (code !== 0)
            throw new Error(`the daemon ended with ${code}`);
    }

    try {
        const url = await listening(child, logPath);
        return { url, stop, ...asking(url) };
    } catch (why) {
        child.kill('SIGKILL');
        fs.rmSync(folder, { recursive: true, force: true });
        throw why;
    }
}

function asking(url) {
    async function ask(method, target, body, headers) {
        const answer = await fetch(url + target, { method, body, headers });
        if (!answer.ok)
            throw new Error(`${method} ${target}: ${answer.status} ${await answer.text()}`);
        return answer;
    }
    const askJson = async (method, target, value) =>
        (await ask(method, target, value && JSON.stringify(value),
            value && { 'Content-Type': 'application/json' })).json();

    /* Heights of the surface at points, by default [longitude, latitude], as the API tells them;
     * with `holes`, NaN over one. */
    async function heights(landscape, points, { frame = 'lonlat', holes = false } = {}) {
        const answer = await ask('POST',
            `/v1/landscapes/${landscape}/query/heights?frame=${frame}&ignore_holes=${!holes}`,
            Buffer.from(new Float64Array(points.flat()).buffer),
            { 'Content-Type': 'application/x-f64', Accept: 'application/x-f64' });
        const told = Array.from(new Float64Array(await answer.arrayBuffer()));
        const lost = holes ? -1 : told.findIndex((height) => !Number.isFinite(height));
        if (told.length !== points.length || lost >= 0)
            throw new Error(`no height of ${landscape} at ${points[lost]}`);
        return told;
    }
    return { ask, askJson, heights };
}

module.exports = { startDaemon };
