import { expect } from '@open-wc/testing';
import { findExitActions } from './exit-actions.ts';

const page = { inline: false, openerOrigins: [], hasOpener: false, origin: 'https://blog.example' };
const form = { ...page, origin: 'https://bff.example', openerOrigins: ['https://www.example.com', 'https://m.example.com'] };
const site = { kind: 'site', href: 'https://www.example.com/', site: 'www.example.com' };

describe('findExitActions', () => {
  it('returns to the comment box', () => {
    expect(findExitActions({ ...page, inline: true, hasOpener: true })).to.deep.equal([{ kind: 'comments' }]);
  });

  it('closes a window that another page has opened', () => {
    expect(findExitActions({ ...form, hasOpener: true })).to.deep.equal([{ kind: 'window' }]);
    expect(findExitActions({ ...page, hasOpener: true })).to.deep.equal([{ kind: 'window' }]);
  });

  it('offers both exits without an opener', () => {
    expect(findExitActions(form)).to.deep.equal([{ kind: 'window' }, site]);
  });

  it('links to the site from a page of its own', () => {
    expect(findExitActions(page)).to.deep.equal([{ kind: 'site', href: 'https://blog.example/', site: 'blog.example' }]);
  });

  it('links to http(s) addresses only', () => {
    expect(findExitActions({ ...page, origin: 'null' })).to.deep.equal([]);
    expect(findExitActions({ ...form, openerOrigins: ['javascript:alert(1)'] })).to.deep.equal([{ kind: 'window' }]);
  });
});
