/** The arithmetic of `docs/capacity.md`, and that the page is what the figures give. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { page, readFigures, type CapacityFigures } from './_figures.ts';
import { assumptions, capacityOf, requestsPerDay } from './_model.ts';
import { renderPage } from './_page.ts';

/** Round figures: a request costs 1 ms and 100 bytes. */
const cost = { bffMs: 1, redisMs: 0.5, responseBytes: 100 };
const figures: CapacityFigures = {
  at: '2026-01-01T00:00:00.000Z', node: '24', redis: '7', processor: 'a processor',
  requests: { static: { ...cost, redisMs: 0 }, session: cost, posts: cost, post: cost, signIn: cost },
  firstVisit: { bytes: 10_100, requests: 3 },
  redisBytes: { session: 1_000, post: 100, signIn: 10 },
};

/** One view a second. */
const demand = { viewsPerDay: 86_400, commenters: 0.1, hasThread: false };

describe('requestsPerDay', () => {
  it('counts sessions of readers who comment and who only read, and sign-ins of some', () => {
    assert.deepEqual(requestsPerDay(demand), { static: 86_400, session: 43_200, posts: 0, post: 8_640, signIn: 1_728 });
    assert.equal(requestsPerDay({ ...demand, hasThread: true }).posts, 86_400);
  });

  it('never counts more views of signed-in readers than views', () => {
    assert.equal(requestsPerDay({ ...demand, commenters: 0.5 }).session, 86_400);
  });
});

describe('capacityOf', () => {
  const { mean, peak, peakPosts, needs, instances, first, ratio } = capacityOf(figures, demand);
  const near = (actual: number, expected: number) => { assert.ok(Math.abs(actual / expected - 1) < 1e-9, `${actual} is not ${expected}`); };

  it('adds up requests, two for a sign-in and the further files of a first visit', () => {
    near(mean, 1 + 0.5 + 0.1 + 2 * 0.02 + 0.3 * 2);
    near(peak, mean * assumptions.peakFactor);
    near(peakPosts, 0.4);
  });

  it('sizes cores, memory, network and calls for the peak', () => {
    near(needs.bffCores, (1 + 0.5 + 0.1 + 0.02 + 0.6) * 4 / 1_000 / 0.6);
    near(needs.redisCores, 0.5 * (0.5 + 0.1 + 0.02) * 4 / 1_000 / 0.6);
    near(needs.redisBytes, (1_728 * 14 * 1_000 + 8_640 * 100 + 1_728 * 10) / 0.6);
    near(needs.networkBitsPerSecond, (100 * (1 + 0.5 + 0.1 + 0.02) + 0.3 * 10_000) * 4 * 8 / 0.6);
    near(needs.serviceCalls, (0.1 + 0.02) * 4 * 0.3 / 0.6);
  });

  it('has two processes at least, and one to spare', () => {
    assert.equal(instances, 2);
    assert.equal(capacityOf(figures, { ...demand, viewsPerDay: 86_400_000 }).instances, Math.ceil(needs.bffCores * 1_000) + 1);
  });

  it('names what runs out first', () => {
    assert.equal(first, 'bffCores');
    near(ratio, needs.bffCores);
    const large = { ...figures, redisBytes: { ...figures.redisBytes, session: 2 ** 30 } };
    assert.equal(capacityOf(large, demand).first, 'redisBytes');
  });
});

describe('docs/capacity.md', () => {
  it('is what npm run capacity writes', async () => {
    assert.equal(await readFile(page, 'utf8'), renderPage(await readFigures()));
  });
});
