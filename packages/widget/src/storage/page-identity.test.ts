import { expect } from '@open-wc/testing';
import { pageIdentity } from './page-identity.ts';

const addressOfTest = location.href;
const article = new URL('/article', location.href).href;
const RETURN = 'code=1&username=a&user_id=1&audiencesync_uri=https://service.example/';

afterEach(() => {
  history.replaceState(null, '', addressOfTest);
  document.querySelector('link[rel~=canonical]')?.remove();
});

function identityOf(query: string): string {
  history.replaceState(null, '', `${article}?${query}#comments`);
  return pageIdentity(null);
}

describe('pageIdentity', () => {
  it('is without the parameters of campaigns, of link decoration and of a whole return, wherever they are', () => {
    for (const ignored of [
      'utm_source=letter', 'mtm_kwd=1', 'pk_campaign=1', 'hsa_acc=1', 'mc_eid=1', 'gad_source=1', 'gad_campaignid=2', '_ga=1', '_gl=1', '_hsenc=1',
      'srsltid=1', 'gclid=1', 'fbclid=1', 'msclkid=1', 'dclid=1', 'gbraid=1', 'wbraid=1', 'igshid=1', 'igsh=1', 'gclsrc=1',
      '_ke=1', '_kx=1', 'ScCid=1', 'epik=1', 'irclickid=1', 'matomo_campaign=1', 'piwik_kwd=1', 'tw_source=1', '_branch_match_id=1', 'mkevt=1',
      's_kwcid=1', 'fb_action_ids=1', 'cmpid=1', 'mkt_tok=1', 'spm=1', '__hssc=1', '__hstc=1', 'vero_id=1', 'li_fat_id=1', 'yclid=1', RETURN,
    ]) {
      expect(identityOf(`${ignored}&p=/foo&x=%2F%20`), ignored).to.equal(`${article}?p=/foo&x=%2F%20`);
      expect(identityOf(`p=/foo&${ignored}&q=a+b`), ignored).to.equal(`${article}?p=/foo&q=a+b`);
      expect(identityOf(ignored), ignored).to.equal(article);
    }
  });

  it('keeps the other parameters as the page wrote them', () => {
    for (const query of ['p=/foo&q=a+b&my_ga=1&name=%7e', 'tags[]=1', 'name=%C3%BC', 'flag', 'decode=1&code2=1', 'utm', 'epikur=1', 'code=1&username=a&user_id=1',
      'error=1', 'success=1', '_gallery=1', '_global=1', 'mc_number=1', 'pk_id=1']) {
      expect(identityOf(query)).to.equal(`${article}?${query}`);
    }
  });

  it('is the given address, else the canonical one, without fragment and credentials', () => {
    history.replaceState(null, '', `${article}?id=1`);
    const href = new URL('/a?id=2#top', location.href);
    href.username = 'ada';
    document.head.append(Object.assign(document.createElement('link'), { rel: 'alternate canonical', href }));
    expect(pageIdentity(null)).to.equal(new URL('/a?id=2', location.href).href);
    expect(pageIdentity('/b?utm_source=x#top')).to.equal(new URL('/b?utm_source=x', location.href).href);
  });

  it('ignores an attribute and a canonical link that is no http(s) URL', () => {
    history.replaceState(null, '', article);
    const link = document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'canonical' }));
    for (const address of ['', 'https://', 'http://[', 'mailto:a@b.c', 'xhttp://b.c', 'javascript:1']) {
      link.setAttribute('href', address);
      expect(pageIdentity(address), address).to.equal(article);
    }
  });
});
