/** The host pages, and the pictures of the READMEs. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { checkPages } from './_check-pages.ts';
import { shrinkPng } from './_png.ts';
import { reachStates } from './_visit.ts';
import { startGallery } from './gallery.ts';
import { hosts } from './hosts/index.ts';

checkPages('the host pages', hosts.map(({ name }) => `/hosts/${name}`));

describe('a picture', () => {
  it('loses nothing when it is written again, and gets smaller', async () => {
    await using gallery = await startGallery();
    await using page = await (await sharedChromium()).newPage();
    await page.goto(`${gallery.url}/hosts/cms`);
    const png = await page.screenshot();
    const small = shrinkPng(png);
    const differences = await page.evaluate(async (pictures) => {
      const [one, other] = await Promise.all(pictures.map(async (picture) => {
        const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0))]));
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
        context.drawImage(bitmap, 0, 0);
        return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
      }));
      return one!.reduce((count, byte, at) => count + (byte === other![at] ? 0 : 1), Math.abs(one!.length - other!.length));
    }, [png.toString('base64'), small.toString('base64')]);
    assert.equal(differences, 0);
    assert.ok(small.length < png.length, `${small.length} of ${png.length} bytes`);
  });
});

describe('a host page', () => {
  const gallery = suiteResource(startGallery);

  for (const { name } of hosts) {
    it(`lends its font, its colours and its direction, and takes nothing away: ${name}`, async () => {
      await using page = await (await sharedChromium()).newPage({ locale: 'en-GB', viewport: { width: 900, height: 900 } });
      await page.goto(`${gallery().url}/hosts/${name}`);
      await reachStates(page);
      const { host, field, button, label } = await page.evaluate(() => {
        const element = document.querySelector('vestibule-comments')!;
        const find = (selector: string): HTMLElement => element.shadowRoot!.querySelector(selector)!;
        const look = (target: Element) => {
          const { fontFamily, color, backgroundColor, borderStyle, display, width } = getComputedStyle(target);
          return { fontFamily, color, backgroundColor, borderStyle, display, width: Number.parseFloat(width) };
        };
        return {
          host: { ...look(element), width: element.parentElement!.getBoundingClientRect().width },
          field: look(find('textarea')), button: look(find('.primary')), label: look(find('label')),
        };
      });
      assert.equal(field.fontFamily, host.fontFamily);
      assert.equal(button.fontFamily, host.fontFamily);
      assert.equal(field.color, host.color);
      assert.equal(field.borderStyle, 'solid');
      assert.equal(label.display, 'block');
      assert.ok(field.width > host.width - 2, `${field.width} of ${host.width} pixels`);
      assert.notEqual(button.backgroundColor, 'rgb(185, 60, 10)');
    });
  }
});
