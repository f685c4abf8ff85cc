/** Suomi. */

import type { Language } from './language.ts';

export const core: Language['core'] = {
  heading: 'Kommentit',
  message: 'Kommenttisi',
  post: 'Julkaise kommentti',
  notLoaded: 'Julkaiseminen ei juuri nyt onnistu. Tekstisi on tallessa tällä laitteella. Yritä uudelleen lataamalla sivu uudestaan.',
};

export const engine: Language['engine'] = {
  account: {
    signedInAs: 'Kommentoit nimellä {name}',
    signOut: 'Kirjaudu ulos',
    mayWrite: 'Kirjoita nyt, kirjaudu julkaistaksesi.',
  },
  action: {
    signIn: 'Kirjaudu ja julkaise',
    posting: 'Julkaistaan…',
    tryAgain: 'Yritä uudelleen',
  },
  status: {
    oneMoment: 'Hetkinen…',
    waiting: 'Kirjautuminen jatkuu toisessa ikkunassa.',
    reopen: 'Avaa se uudelleen',
    popupBlocked: 'Selain ei avannut ikkunaa, joten kirjautuminen jatkuu tällä sivulla. Tekstisi on tallessa.',
    goOnHere: 'Jatka nyt',
    offline: 'Verkkoyhteyttä ei ole. Tekstisi on tallessa tällä laitteella.',
    unavailable: 'Kirjautuminen ei juuri nyt onnistu. Kirjoita rauhassa: tekstisi on tallessa, ja yritämme yhä.',
    posting: 'Julkaistaan…',
    retrying: {
      one: 'Ei vielä julkaistu. Yritetään uudelleen {count} sekunnin kuluttua.',
      other: 'Ei vielä julkaistu. Yritetään uudelleen {count} sekunnin kuluttua.',
    },
    stop: 'Lopeta yrittäminen',
  },
  notes: {
    signInFirst: 'Kirjaudu julkaistaksesi. Tekstisi on tallessa.',
    signedIn: 'Olet kirjautunut nimellä {name}.',
    notPostedYet: 'Olet kirjautunut nimellä {name}. Kommenttiasi ei ole vielä julkaistu.',
    signedOut: 'Olet kirjautunut ulos.',
    posted: 'Kommenttisi on julkaistu.',
    stopped: 'Keskeytetty. Tekstisi on tallessa.',
  },
  notices: {
    declined: 'Et antanut käyttölupaa, joten et ole kirjautunut.',
    rejected: 'Sivusto ei hyväksynyt kirjautumista.',
    'already-granted': 'Olit jo aiemmin antanut käyttöluvan. Jos et vieläkään ole kirjautunut, kirjaudu vielä kerran.',
  },
  alert: {
    empty: 'Kirjoita ensin jotakin.',
    notPosted: 'Kommenttiasi ei julkaistu. {reason} Tekstisi on tallessa.',
    offline: 'Verkkoyhteyttä ei ole.',
    unsure: '{reason} Katso, näkyykö se jo, ennen kuin julkaiset sen uudelleen.',
    serviceSays: 'Vastaus oli: {words}',
    invalidReturn: 'Kirjautumislinkki ei ole kokonainen. Kirjaudu uudelleen.',
    formNotLoaded: 'Kirjautumislomaketta ei voitu ladata. Yritä uudelleen.',
  },
  choice: {
    iCanSeeIt: 'Näen sen',
    postAgain: 'Julkaise uudelleen',
  },
  signIn: {
    about: 'Olet kirjautumassa nimellä {name}.',
    continueAs: 'Jatka nimellä {name}',
    notYou: 'Etkö se ole sinä?',
    unfinished: 'Kirjautumisesi nimellä {name} on vielä kesken.',
    goOn: 'Jatka kirjautumista',
    cancel: 'Peruuta',
  },
  counter: {
    left: { one: '{count} merkki jäljellä', other: '{count} merkkiä jäljellä' },
    over: { one: '{count} merkki liikaa', other: '{count} merkkiä liikaa' },
    near: 'Kommenttisi on lähellä enimmäispituutta.',
    tooLong: 'Kommenttisi on liian pitkä.',
  },
  posts: {
    heading: 'Juuri julkaistu',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'Kommenttipalvelu ei ymmärtänyt pyyntöä. Lataa sivu uudestaan ja yritä uudelleen.',
  'untrusted-completion-uri': 'Kirjautumislinkki ei johda takaisin kommenttipalveluun, joten sitä ei käytetty. Kirjaudu uudelleen.',
  'untrusted-return-uri': 'Tältä sivulta ei voi kirjautua. Kerro siitä sivustolle.',
  'not-signed-in': 'Et ole enää kirjautunut. Kirjaudu uudelleen.',
  'cross-site-request': 'Tämä sivu ei saa käyttää kommenttipalvelua. Kerro siitä sivustolle.',
  'forum-not-allowed': 'Kommentteja ei ole otettu käyttöön tällä sivulla. Kerro siitä sivustolle.',
  'user-mismatch': 'Kommenttipalvelu vahvisti toisen tilin. Kirjaudu uudelleen.',
  'not-found': 'Kommenttipalvelua ei löytynyt. Kerro siitä sivustolle.',
  'method-not-allowed': 'Kommenttipalvelu ei ottanut pyyntöä vastaan. Lataa sivu uudestaan ja yritä uudelleen.',
  'not-acceptable': 'Kommenttipalvelu ei pystynyt vastaamaan tälle selaimelle. Kerro siitä sivustolle.',
  'no-sync-in-progress': 'Kirjautuminen on päättynyt tai kesti liian kauan. Kirjaudu uudelleen.',
  'code-already-used': 'Tämä kirjautuminen on jo käytetty. Kirjaudu uudelleen.',
  'post-in-progress': 'Kommenttia julkaistaan yhä.',
  'idempotency-key-reused': 'Kommentin aiempi versio on ehkä jo julkaistu.',
  'message-too-long': 'Kommentti on liian pitkä.',
  'payload-too-large': 'Kommentti on liian pitkä.',
  'unsupported-media-type': 'Kommenttipalvelu ei ottanut pyyntöä vastaan. Lataa sivu uudestaan ja yritä uudelleen.',
  'invalid-answers': 'Tarkista vastauksesi.',
  'too-many-requests': 'Nyt tuli paljon kerralla. Odota hetki ja yritä uudelleen.',
  'service-refused': 'Kommenttipalvelu kieltäytyi.',
  'bad-service-response': 'Kommenttipalvelun vastausta ei voitu käyttää. Yritä uudelleen.',
  'service-unavailable': 'Kommenttipalvelu ei ole juuri nyt käytettävissä.',
  'outcome-unknown': 'Ei ole varmaa, julkaistiinko kommentti.',
  'internal-error': 'Meillä meni jokin vikaan. Yritä uudelleen.',
  network: 'Kommenttipalveluun ei saatu yhteyttä.',
};

export const notice: Language['notice'] = {
  comments: 'Sivun suojausasetukset estävät kommenttikentän näyttämisen.',
  openComments: 'Kirjoita kommentti erillisellä sivulla',
  sync: 'Sivun suojausasetukset estävät lomakkeen näyttämisen.',
  openSync: 'Jatka kirjautumista erillisellä sivulla',
};

export const sync: Language['sync'] = {
  wait: {
    asking: 'Hetkinen…',
    starting: 'Kirjaudutaan…',
    sending: 'Tarkistetaan vastauksiasi…',
    cancelling: 'Peruutetaan…',
    slow: 'Tämä kestää tavallista kauemmin. Pysy tällä sivulla.',
  },
  confirm: {
    heading: 'Kirjaudu kommentoidaksesi',
    about: 'Olet kirjautumassa tällä tilillä:',
    continueAs: 'Jatka nimellä {name}',
    notYou: 'Etkö se ole sinä? Peruuta',
    nothingSent: 'Ketään ei kirjata sisään ennen kuin jatkat.',
  },
  questions: {
    heading: 'Ennen kuin kommentoit',
    about: 'Sivusto kysyy kaikilta, jotka haluavat kommentoida:',
    signingInAs: 'Kirjaudutaan nimellä {name}',
    requiredMark: '* on vastattava',
    optional: '(vapaaehtoinen)',
    choose: 'Valitse',
    noAnswer: 'Ei vastausta',
    submit: 'Viimeistele kirjautuminen',
    cancel: 'Peruuta',
  },
  faults: {
    summary: { one: 'Tarkista tämä vastaus:', other: 'Tarkista nämä {count} vastausta:' },
    required: 'Vastaa tähän.',
    requiredOption: 'Valitse yksi vaihtoehto.',
    requiredTick: 'Jatka merkitsemällä tämä ruutu.',
    'not-a-text': 'Vastauksessa on merkki, jota ei voi lähettää.',
    'not-a-number': 'Anna luku.',
    'not-a-date': 'Anna kokonainen, oikea päivämäärä.',
    'not-an-email': 'Anna sähköpostiosoite, esimerkiksi nimi@example.com.',
    'not-an-option': 'Valitse jokin vaihtoehdoista.',
    numberTooLow: 'Anna vähintään {limit}.',
    numberTooHigh: 'Anna enintään {limit}.',
    dateTooEarly: 'Anna {limit} tai myöhempi päivä.',
    dateTooLate: 'Anna {limit} tai aiempi päivä.',
    'too-short': { one: 'Kirjoita vähintään {count} merkki.', other: 'Kirjoita vähintään {count} merkkiä.' },
    'too-long': { one: 'Lyhennä enintään {count} merkkiin.', other: 'Lyhennä enintään {count} merkkiin.' },
    pattern: 'Vastaus ei ole pyydetyssä muodossa.',
  },
  outcome: {
    accepted: 'Olet kirjautunut',
    cancelled: 'Kirjautuminen peruutettu',
    onTheWay: 'Palataan takaisin…',
    goOn: 'Jatka, jos mitään ei tapahdu',
    rejected: 'Sivusto ei hyväksynyt kirjautumista',
    noReason: 'Sivusto ei kertonut syytä.',
    continue: 'Jatka',
    failed: 'Kirjautuminen epäonnistui',
    unavailable: 'Kirjautuminen ei juuri nyt onnistu',
  },
  endings: {
    declined: {
      heading: 'Et antanut käyttölupaa',
      text: 'Et ole kirjautunut. Jos muutat mielesi, kirjaudu uudelleen kommenttikentästä.',
    },
    rejected: { heading: 'Sivusto ei hyväksynyt kirjautumista', text: 'Et ole kirjautunut.' },
    'already-granted': {
      heading: 'Olit jo antanut käyttöluvan',
      text: 'Täällä ei ole enää mitään tehtävää. Jos kommenttikenttä yhä pyytää, kirjaudu vielä kerran.',
    },
    cancelled: { heading: 'Kirjautuminen peruutettu', text: 'Et ole kirjautunut.' },
    'signed-in': { heading: 'Olet kirjautunut', text: 'Voit palata ja julkaista kommenttisi.' },
    'nothing-to-do': {
      heading: 'Täällä ei ole mitään tehtävää',
      text: 'Tässä ikkunassa ei ole kirjautuminen käynnissä. Palaa artikkeliin ja kirjaudu sen kommenttikentästä.',
    },
    'invalid-return': {
      heading: 'Kirjautumislinkki ei ole kokonainen',
      text: 'Osa siitä puuttuu. Palaa artikkeliin ja kirjaudu uudelleen sen kommenttikentästä.',
    },
  },
  way: {
    tryAgain: 'Yritä uudelleen',
    startAgain: 'Kirjaudu uudelleen',
    close: 'Sulje tämä ikkuna',
    closeYourself: 'Selain jätti ikkunan auki. Voit sulkea sen nyt.',
    toSite: 'Siirry sivustolle {site}',
    toComments: 'Takaisin kommentteihin',
  },
  problems: {
    'payload-too-large': 'Vastauksesi ovat liian pitkiä.',
    'outcome-unknown': 'Ei ole varmaa, onnistuiko kirjautuminen. Kirjaudu uudelleen.',
    'service-refused': 'Kommenttipalvelu ei hyväksynyt kirjautumista. Kirjaudu uudelleen.',
    'bad-service-response': 'Kommenttipalvelun vastausta ei voitu käyttää. Kirjaudu uudelleen.',
    'service-unavailable': 'Kommenttipalvelu ei ole juuri nyt käytettävissä. Yritä hetken kuluttua uudelleen.',
  },
};
