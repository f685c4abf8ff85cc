import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import express from 'express';
import { trustProxySchema } from './trust-proxy.ts';

const isTaken = (value: unknown): boolean => trustProxySchema.safeParse(value).success;

describe('trustProxySchema', () => {
  it('takes what Express takes', () => {
    for (const value of [
      true, false, 0, 2, 'loopback', 'loopback, 10.0.0.0/8', 'uniquelocal,linklocal', '192.0.2.1', '2001:db8::/32', '::1', ['loopback', '192.0.2.0/24'], [],
    ]) {
      assert.ok(isTaken(value), String(value));
      express().set('trust proxy', value);
    }
  });

  it('trusts nobody by default', () => {
    assert.equal(trustProxySchema.parse(undefined), false);
  });

  it('refuses what Express would end at, or take for another address than was meant', () => {
    for (const value of [
      '', 'nonsense', 'true', '1', 'proxy.example.com', 'loopback,', '10.0.0.0/0', '10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0', 'all',
      ['loopback, 10.0.0.0/8'], [1], -1, 1.5, null, {},
    ]) assert.ok(!isTaken(value), JSON.stringify(value));
  });
});
