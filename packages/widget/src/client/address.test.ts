import { expect } from '@open-wc/testing';
import { bffAddress, scriptAddress } from './address.ts';

describe('bffAddress', () => {
  it('adds the slash to a path, and removes query and hash', () => {
    expect(bffAddress('https://www.example.com/vestibule').href).to.equal('https://www.example.com/vestibule/');
    expect(bffAddress('https://www.example.com/vestibule/?a=1#b').href).to.equal('https://www.example.com/vestibule/');
    expect(bffAddress('/vestibule').href).to.equal(`${location.origin}/vestibule/`);
  });

  it("is the script's own address where none is named, or none that is one", () => {
    for (const none of [null, undefined, '', 'https://[']) expect(bffAddress(none).href).to.equal(scriptAddress().href);
  });
});

describe('scriptAddress', () => {
  it('is the folder of the script, without its query and fragment', () => {
    for (const file of ['widget.js', 'widget.js?v=3', 'widget-0.1.0-12345678.js', 'widget.js#1']) {
      expect(scriptAddress(`https://www.example.com/vestibule/${file}`).href).to.equal('https://www.example.com/vestibule/');
    }
  });
});
