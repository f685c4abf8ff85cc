import { expect } from '@open-wc/testing';
import { bffAddress, scriptAddress } from './bff-address.ts';

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
