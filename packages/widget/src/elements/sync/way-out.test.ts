import { expect } from '@open-wc/testing';
import { findWaysOut } from './way-out.ts';

const page = { inline: false, openerOrigins: [], hasOpener: false, origin: 'https://blog.example' };
const form = { ...page, origin: 'https://bff.example', openerOrigins: ['https://www.example.com', 'https://m.example.com'] };
const site = { kind: 'site', href: 'https://www.example.com/', site: 'www.example.com' };

describe('findWaysOut', () => {
  it('leads back to the comment box from within it', () => {
    expect(findWaysOut({ ...page, inline: true, hasOpener: true })).to.deep.equal([{ kind: 'comments' }]);
  });

  it('closes a window that another page has opened', () => {
    expect(findWaysOut({ ...form, hasOpener: true })).to.deep.equal([{ kind: 'window' }]);
    expect(findWaysOut({ ...page, hasOpener: true })).to.deep.equal([{ kind: 'window' }]);
  });

  it('offers both ways where the opener was cut off', () => {
    expect(findWaysOut(form)).to.deep.equal([{ kind: 'window' }, site]);
  });

  it('leads to the site from a page of its own', () => {
    expect(findWaysOut(page)).to.deep.equal([{ kind: 'site', href: 'https://blog.example/', site: 'blog.example' }]);
  });

  it('leads to no address that is not of the web', () => {
    expect(findWaysOut({ ...page, origin: 'null' })).to.deep.equal([]);
    expect(findWaysOut({ ...form, openerOrigins: ['javascript:alert(1)'] })).to.deep.equal([{ kind: 'window' }]);
  });
});
