import { expect } from '@open-wc/testing';
import { exactTime, relativeTime } from './relative-time.ts';

const now = Date.UTC(2026, 5, 9, 12);
const ago = (seconds: number): number => now - seconds * 1000;
const HOUR = 3600;

describe('relativeTime', () => {
  it('counts minutes, hours and days for a week, then gives the date', () => {
    for (const [seconds, text] of [
      [0, 'now'], [59, 'now'], [60, '1 minute ago'], [HOUR - 1, '59 minutes ago'], [HOUR, '1 hour ago'], [23.9 * HOUR, '23 hours ago'],
      [24 * HOUR, 'yesterday'], [6.9 * 24 * HOUR, '6 days ago'],
    ] as const) expect(relativeTime('en', ago(seconds), now), String(seconds)).to.equal(text);
    expect(relativeTime('en', ago(7 * 24 * HOUR), now)).to.match(/2026/);
  });

  it('treats times in the future as now', () => {
    expect(relativeTime('en', now + 90_000, now)).to.equal('now');
  });

  it('is in the language', () => {
    expect(relativeTime('de', ago(2 * HOUR), now)).to.equal('vor 2 Stunden');
    expect(exactTime('de', now)).to.match(/Dienstag.*2026/);
  });
});
