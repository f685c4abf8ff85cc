/** Norsk bokmål. */

import type { Language } from './language.ts';

export const core: Language['core'] = {
  heading: 'Kommentarer',
  message: 'Kommentaren din',
  post: 'Publiser kommentar',
  notLoaded: 'Det er ikke mulig å publisere akkurat nå. Teksten din er lagret på denne enheten. Last siden på nytt for å prøve igjen.',
};

export const engine: Language['engine'] = {
  account: {
    signedInAs: 'Du kommenterer som {name}',
    signOut: 'Logg ut',
    mayWrite: 'Skriv nå, logg inn for å publisere.',
  },
  action: {
    signIn: 'Logg inn for å publisere',
    posting: 'Publiserer …',
    tryAgain: 'Prøv igjen',
  },
  status: {
    oneMoment: 'Et øyeblikk …',
    waiting: 'Innloggingen fortsetter i et annet vindu.',
    reopen: 'Åpne igjen',
    popupBlocked: 'Nettleseren åpnet ikke noe vindu, så innloggingen fortsetter på denne siden. Teksten din er lagret.',
    goOnHere: 'Fortsett nå',
    offline: 'Du er frakoblet. Teksten din er lagret på denne enheten.',
    unavailable: 'Det er ikke mulig å logge inn akkurat nå. Bare skriv videre: Teksten din er lagret, og vi fortsetter å prøve.',
    posting: 'Publiserer …',
    retrying: {
      one: 'Ikke publisert ennå. Prøver igjen om {count} sekund.',
      other: 'Ikke publisert ennå. Prøver igjen om {count} sekunder.',
    },
    stop: 'Slutt å prøve',
  },
  notes: {
    signInFirst: 'Logg inn for å publisere. Teksten din er lagret.',
    signedIn: 'Du er logget inn som {name}.',
    notPostedYet: 'Du er logget inn som {name}. Kommentaren din er ikke publisert ennå.',
    signedOut: 'Du er logget ut.',
    posted: 'Kommentaren din er publisert.',
    stopped: 'Stoppet. Teksten din er lagret.',
  },
  notices: {
    declined: 'Du ga ikke tilgang, så du er ikke logget inn.',
    rejected: 'Nettstedet godtok ikke innloggingen.',
    'already-granted': 'Du hadde gitt tilgang fra før. Hvis du fortsatt ikke er logget inn, logger du inn én gang til.',
  },
  alert: {
    empty: 'Skriv noe først.',
    notPosted: 'Kommentaren din ble ikke publisert. {reason} Teksten din er lagret.',
    offline: 'Du er frakoblet.',
    unsure: '{reason} Se etter om den allerede er der før du publiserer den igjen.',
    serviceSays: 'Svaret var: {words}',
    invalidReturn: 'Innloggingslenken er ikke hel. Logg inn igjen.',
    formNotLoaded: 'Innloggingsskjemaet kunne ikke lastes inn. Prøv igjen.',
  },
  choice: {
    iCanSeeIt: 'Jeg ser den',
    postAgain: 'Publiser igjen',
  },
  signIn: {
    about: 'Du er i ferd med å logge inn som {name}.',
    continueAs: 'Fortsett som {name}',
    notYou: 'Er det ikke deg?',
    unfinished: 'Du er ikke ferdig med å logge inn som {name}.',
    goOn: 'Fortsett innloggingen',
    cancel: 'Avbryt',
  },
  counter: {
    left: { one: '{count} tegn igjen', other: '{count} tegn igjen' },
    over: { one: '{count} tegn for mye', other: '{count} tegn for mye' },
    near: 'Kommentaren din nærmer seg største lengde.',
    tooLong: 'Kommentaren din er for lang.',
  },
  posts: {
    heading: 'Nettopp publisert',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'Kommentartjenesten forsto ikke forespørselen. Last siden på nytt og prøv igjen.',
  'untrusted-completion-uri': 'Innloggingslenken fører ikke tilbake til kommentartjenesten, så den ble ikke brukt. Logg inn igjen.',
  'untrusted-return-uri': 'Denne siden kan ikke brukes til innlogging. Si fra til nettstedet.',
  'not-signed-in': 'Du er ikke lenger logget inn. Logg inn igjen.',
  'cross-site-request': 'Denne siden har ikke lov til å bruke kommentartjenesten. Si fra til nettstedet.',
  'forum-not-allowed': 'Kommentarer er ikke satt opp for denne siden. Si fra til nettstedet.',
  'user-mismatch': 'Kommentartjenesten bekreftet en annen konto. Logg inn igjen.',
  'not-found': 'Kommentartjenesten ble ikke funnet. Si fra til nettstedet.',
  'method-not-allowed': 'Kommentartjenesten tok ikke imot forespørselen. Last siden på nytt og prøv igjen.',
  'not-acceptable': 'Kommentartjenesten kunne ikke svare denne nettleseren. Si fra til nettstedet.',
  'no-sync-in-progress': 'Innloggingen er avsluttet eller tok for lang tid. Logg inn igjen.',
  'code-already-used': 'Innloggingen er allerede brukt. Logg inn igjen.',
  'post-in-progress': 'Kommentaren holder fortsatt på å bli publisert.',
  'idempotency-key-reused': 'En tidligere utgave av kommentaren kan allerede være publisert.',
  'message-too-long': 'Kommentaren er for lang.',
  'payload-too-large': 'Kommentaren er for lang.',
  'unsupported-media-type': 'Kommentartjenesten tok ikke imot forespørselen. Last siden på nytt og prøv igjen.',
  'invalid-answers': 'Se gjennom svarene dine på nytt.',
  'too-many-requests': 'Det var mye på én gang. Vent et øyeblikk og prøv igjen.',
  'service-refused': 'Kommentartjenesten sa nei.',
  'bad-service-response': 'Kommentartjenesten ga et svar som ikke kunne brukes. Prøv igjen.',
  'service-unavailable': 'Kommentartjenesten er ikke tilgjengelig akkurat nå.',
  'outcome-unknown': 'Det er ikke sikkert at kommentaren ble publisert.',
  'internal-error': 'Noe gikk galt hos oss. Prøv igjen.',
  network: 'Kommentartjenesten var ikke å få tak i.',
};

export const notice: Language['notice'] = {
  comments: 'Sikkerhetsinnstillingene på denne siden hindrer at kommentarfeltet vises.',
  openComments: 'Skriv en kommentar på en egen side',
  sync: 'Sikkerhetsinnstillingene på denne siden hindrer at skjemaet vises.',
  openSync: 'Fortsett innloggingen på en egen side',
};

export const sync: Language['sync'] = {
  wait: {
    asking: 'Et øyeblikk …',
    starting: 'Logger inn …',
    sending: 'Kontrollerer svarene dine …',
    cancelling: 'Avbryter …',
    slow: 'Dette tar lengre tid enn vanlig. Bli på siden.',
  },
  confirm: {
    heading: 'Logg inn for å kommentere',
    about: 'Du er i ferd med å logge inn med denne kontoen:',
    continueAs: 'Fortsett som {name}',
    notYou: 'Er det ikke deg? Avbryt',
    nothingSent: 'Ingen blir logget inn før du fortsetter.',
  },
  questions: {
    heading: 'Før du kommenterer',
    about: 'Nettstedet spør alle som vil kommentere:',
    signingInAs: 'Logger inn som {name}',
    requiredMark: '* må besvares',
    optional: '(valgfritt)',
    choose: 'Velg et svar',
    noAnswer: 'Ikke noe svar',
    submit: 'Fullfør innloggingen',
    cancel: 'Avbryt',
  },
  faults: {
    summary: { one: 'Se på dette svaret igjen:', other: 'Se på disse {count} svarene igjen:' },
    required: 'Svar på dette.',
    requiredOption: 'Velg et alternativ.',
    requiredTick: 'Kryss av her for å gå videre.',
    'not-a-text': 'Her er det et tegn som ikke kan sendes.',
    'not-a-number': 'Skriv inn et tall.',
    'not-a-date': 'Skriv inn en hel dato som finnes.',
    'not-an-email': 'Skriv inn en e-postadresse, for eksempel navn@example.com.',
    'not-an-option': 'Velg ett av alternativene.',
    numberTooLow: 'Skriv inn {limit} eller mer.',
    numberTooHigh: 'Skriv inn {limit} eller mindre.',
    dateTooEarly: 'Skriv inn {limit} eller en senere dato.',
    dateTooLate: 'Skriv inn {limit} eller en tidligere dato.',
    'too-short': { one: 'Skriv inn minst {count} tegn.', other: 'Skriv inn minst {count} tegn.' },
    'too-long': { one: 'Kort ned til {count} tegn.', other: 'Kort ned til {count} tegn.' },
    pattern: 'Dette har ikke den formen det spørres etter.',
  },
  outcome: {
    accepted: 'Du er logget inn',
    cancelled: 'Innloggingen ble avbrutt',
    onTheWay: 'Du sendes tilbake …',
    goOn: 'Fortsett hvis ingenting skjer',
    rejected: 'Nettstedet godtok ikke innloggingen',
    noReason: 'Nettstedet oppga ingen grunn.',
    continue: 'Fortsett',
    failed: 'Innloggingen virket ikke',
    unavailable: 'Det er ikke mulig å logge inn akkurat nå',
  },
  endings: {
    declined: {
      heading: 'Du ga ikke tilgang',
      text: 'Du er ikke logget inn. Hvis du ombestemmer deg, kan du logge inn igjen fra kommentarfeltet.',
    },
    rejected: { heading: 'Nettstedet godtok ikke innloggingen', text: 'Du er ikke logget inn.' },
    'already-granted': {
      heading: 'Du hadde gitt tilgang fra før',
      text: 'Her er det ikke mer å gjøre. Hvis kommentarfeltet fortsatt spør, logger du inn én gang til.',
    },
    cancelled: { heading: 'Innloggingen ble avbrutt', text: 'Du er ikke logget inn.' },
    'signed-in': { heading: 'Du er logget inn', text: 'Du kan gå tilbake og publisere kommentaren din.' },
    'nothing-to-do': {
      heading: 'Her er det ingenting å gjøre',
      text: 'Ingen innlogging er i gang i dette vinduet. Gå tilbake til artikkelen og logg inn fra kommentarfeltet.',
    },
    'invalid-return': {
      heading: 'Innloggingslenken er ikke hel',
      text: 'En del av den mangler. Gå tilbake til artikkelen og logg inn igjen fra kommentarfeltet.',
    },
  },
  way: {
    tryAgain: 'Prøv igjen',
    startAgain: 'Logg inn igjen',
    close: 'Lukk vinduet',
    closeYourself: 'Nettleseren lot dette vinduet stå åpent. Du kan lukke det nå.',
    toSite: 'Gå til {site}',
    toComments: 'Tilbake til kommentarene',
  },
  problems: {
    'payload-too-large': 'Svarene dine er for lange.',
    'outcome-unknown': 'Det er ikke sikkert at innloggingen virket. Logg inn igjen.',
    'service-refused': 'Kommentartjenesten godtok ikke innloggingen. Logg inn igjen.',
    'bad-service-response': 'Kommentartjenesten ga et svar som ikke kunne brukes. Logg inn igjen.',
    'service-unavailable': 'Kommentartjenesten er ikke tilgjengelig akkurat nå. Prøv igjen om litt.',
  },
};
