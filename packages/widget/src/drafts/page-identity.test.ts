import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import { pageIdentity } from './page-identity.ts';

const own = fc.constantFrom<string>('p=/foo', 'q=a+b', 'id=7', 'x=%2F%20', 'tags[]=1', 'name=\u00FC', 'flag', '', 'decode=1', 'utm', 'code2=1');
const ignored = fc.constantFrom<string>(
  'code=1', 'username=a', 'user_id=1', 'audiencesync_uri=https://service.example/', 'error', 'success=1',
  'utm_source=letter', 'mtm_kwd=1', 'pk_campaign=1', 'hsa_acc=1', 'mc_eid=1', 'gad_source=1', 'gad_campaignid=2',
  '_ga=1', '_gl=1', '_hsenc=1', 'srsltid=1', 'gclid=1', 'fbclid=1', 'msclkid=1', 'dclid=1', 'gbraid=1', 'wbraid=1', 'igshid=1', 'igsh=1',
);

const addressOfTest = location.href;
const article = new URL('/article', location.href).href;

afterEach(() => {
  history.replaceState(null, '', addressOfTest);
  document.querySelector('link[rel~=canonical]')?.remove();
});

function identityOf(query: string): string {
  history.replaceState(null, '', `${article}?${query}#comments`);
  return pageIdentity(null);
}

describe('pageIdentity', () => {
  it('is the same with an ignored parameter at any position', () => {
    const additions = fc.array(fc.tuple(ignored, fc.nat(4)), { minLength: 1, maxLength: 3 });
    fc.assert(fc.property(fc.array(own, { maxLength: 4 }), additions, (parameters, extra) => {
      const all = [...parameters];
      for (const [parameter, position] of extra) all.splice(Math.min(position, all.length), 0, parameter);
      expect(identityOf(all.join('&'))).to.equal(identityOf(parameters.join('&')));
    }), { numRuns: 60 });
  });

  it('keeps the other parameters as the page wrote them', () => {
    expect(identityOf('p=/foo&utm_source=x&q=a+b&my_ga=1&name=%7e')).to.equal(`${article}?p=/foo&q=a+b&my_ga=1&name=%7e`);
    expect(identityOf('utm_source=x')).to.equal(article);
  });

  it('is the given address, else the canonical one, without fragment and credentials', () => {
    history.replaceState(null, '', `${article}?id=1`);
    document.head.append(Object.assign(document.createElement('link'), { rel: 'alternate canonical', href: 'https://ada:secret@www.example.com/a?id=2#top' }));
    expect(pageIdentity(null)).to.equal('https://www.example.com/a?id=2');
    expect(pageIdentity('/b?utm_source=x#top')).to.equal(new URL('/b?utm_source=x', location.href).href);
  });

  it('ignores an address that is no http(s) URL', () => {
    history.replaceState(null, '', article);
    for (const address of ['', 'https://', 'mailto:a@b.c', 'xhttp://b.c']) expect(pageIdentity(address), address).to.equal(article);
  });
});
