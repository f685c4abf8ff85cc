/** Dansk. */

import type { Language } from './language.ts';

export const core: Language['core'] = {
  heading: 'Kommentarer',
  message: 'Din kommentar',
  post: 'Send kommentar',
  notLoaded: 'Du kan ikke sende kommentarer lige nu. Din tekst er gemt på denne enhed. Genindlæs siden for at prøve igen.',
};

export const engine: Language['engine'] = {
  account: {
    signedInAs: 'Du kommenterer som {name}',
    signOut: 'Log ud',
    mayWrite: 'Skriv nu, log ind for at sende.',
  },
  action: {
    signIn: 'Log ind for at sende',
    posting: 'Sender …',
    tryAgain: 'Prøv igen',
  },
  status: {
    oneMoment: 'Et øjeblik …',
    waiting: 'Du logger ind i et andet vindue.',
    reopen: 'Åbn det igen',
    popupBlocked: 'Din browser åbnede ikke et vindue, så du logger ind på denne side i stedet. Din tekst er gemt.',
    goOnHere: 'Fortsæt nu',
    offline: 'Du er offline. Din tekst er gemt på denne enhed.',
    unavailable: 'Du kan ikke logge ind lige nu. Skriv bare videre: Din tekst er gemt, og vi bliver ved med at prøve.',
    posting: 'Sender …',
    retrying: {
      one: 'Ikke sendt endnu. Prøver igen om {count} sekund.',
      other: 'Ikke sendt endnu. Prøver igen om {count} sekunder.',
    },
    stop: 'Hold op med at prøve',
  },
  notes: {
    signInFirst: 'Log ind for at sende. Din tekst er gemt.',
    signedIn: 'Du er logget ind som {name}.',
    notPostedYet: 'Du er logget ind som {name}. Din kommentar er ikke sendt endnu.',
    signedOut: 'Du er logget ud.',
    posted: 'Din kommentar er sendt.',
    stopped: 'Stoppet. Din tekst er gemt.',
  },
  notices: {
    declined: 'Du gav ikke adgang, så du er ikke logget ind.',
    rejected: 'Webstedet godkendte ikke dit login.',
    'already-granted': 'Du havde allerede givet adgang. Hvis du stadig ikke er logget ind, så log ind en gang til.',
  },
  alert: {
    empty: 'Skriv noget først.',
    notPosted: 'Din kommentar blev ikke sendt. {reason} Din tekst er gemt.',
    offline: 'Du er offline.',
    unsure: '{reason} Se efter, om den allerede er der, før du sender den igen.',
    serviceSays: 'Svaret lød: {words}',
    invalidReturn: 'Loginlinket er ikke helt. Log ind igen.',
    formNotLoaded: 'Loginformularen kunne ikke indlæses. Prøv igen.',
  },
  choice: {
    iCanSeeIt: 'Jeg kan se den',
    postAgain: 'Send igen',
  },
  signIn: {
    about: 'Du er ved at logge ind som {name}.',
    continueAs: 'Fortsæt som {name}',
    notYou: 'Er det ikke dig?',
    unfinished: 'Du er ikke færdig med at logge ind som {name}.',
    goOn: 'Fortsæt med at logge ind',
    cancel: 'Annuller',
  },
  counter: {
    left: { one: '{count} tegn tilbage', other: '{count} tegn tilbage' },
    over: { one: '{count} tegn for meget', other: '{count} tegn for meget' },
    near: 'Din kommentar nærmer sig den maksimale længde.',
    tooLong: 'Din kommentar er for lang.',
  },
  posts: {
    heading: 'Lige sendt',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'Kommentartjenesten forstod ikke anmodningen. Genindlæs siden, og prøv igen.',
  'untrusted-completion-uri': 'Loginlinket fører ikke tilbage til kommentartjenesten, så det blev ikke brugt. Log ind igen.',
  'untrusted-return-uri': 'Du kan ikke logge ind fra denne side. Giv webstedet besked.',
  'not-signed-in': 'Du er ikke længere logget ind. Log ind igen.',
  'cross-site-request': 'Denne side må ikke bruge kommentartjenesten. Giv webstedet besked.',
  'forum-not-allowed': 'Kommentarer er ikke sat op for denne side. Giv webstedet besked.',
  'user-mismatch': 'Kommentartjenesten bekræftede en anden konto. Log ind igen.',
  'not-found': 'Kommentartjenesten blev ikke fundet. Giv webstedet besked.',
  'method-not-allowed': 'Kommentartjenesten tog ikke imod anmodningen. Genindlæs siden, og prøv igen.',
  'not-acceptable': 'Kommentartjenesten kunne ikke svare denne browser. Giv webstedet besked.',
  'no-sync-in-progress': 'Dette login er afsluttet eller tog for lang tid. Log ind igen.',
  'code-already-used': 'Dette login er allerede brugt. Log ind igen.',
  'post-in-progress': 'Kommentaren er stadig ved at blive sendt.',
  'idempotency-key-reused': 'En tidligere udgave af kommentaren er måske allerede sendt.',
  'message-too-long': 'Kommentaren er for lang.',
  'payload-too-large': 'Kommentaren er for lang.',
  'unsupported-media-type': 'Kommentartjenesten tog ikke imod anmodningen. Genindlæs siden, og prøv igen.',
  'invalid-answers': 'Se dine svar igennem igen.',
  'too-many-requests': 'Det var meget på én gang. Vent et øjeblik, og prøv igen.',
  'service-refused': 'Kommentartjenesten sagde nej.',
  'bad-service-response': 'Kommentartjenesten gav et svar, der ikke kunne bruges. Prøv igen.',
  'service-unavailable': 'Kommentartjenesten er ikke tilgængelig lige nu.',
  'outcome-unknown': 'Det er ikke sikkert, om kommentaren blev sendt.',
  'internal-error': 'Noget gik galt hos os. Prøv igen.',
  network: 'Kommentartjenesten kunne ikke nås.',
};

export const notice: Language['notice'] = {
  comments: 'Sidens sikkerhedsindstillinger forhindrer, at kommentarfeltet vises.',
  openComments: 'Skriv en kommentar på en side for sig',
  sync: 'Sidens sikkerhedsindstillinger forhindrer, at formularen vises.',
  openSync: 'Fortsæt med at logge ind på en side for sig',
};

export const sync: Language['sync'] = {
  wait: {
    asking: 'Et øjeblik …',
    starting: 'Logger ind …',
    sending: 'Kontrollerer dine svar …',
    cancelling: 'Annullerer …',
    slow: 'Det tager længere tid end normalt. Bliv på siden.',
  },
  confirm: {
    heading: 'Log ind for at kommentere',
    about: 'Du er ved at logge ind med denne konto:',
    continueAs: 'Fortsæt som {name}',
    notYou: 'Er det ikke dig? Annuller',
    nothingSent: 'Ingen bliver logget ind, før du fortsætter.',
  },
  questions: {
    heading: 'Før du kommenterer',
    about: 'Webstedet spørger alle, der vil kommentere:',
    signingInAs: 'Logger ind som {name}',
    requiredMark: '* skal besvares',
    optional: '(valgfrit)',
    choose: 'Vælg et svar',
    noAnswer: 'Intet svar',
    submit: 'Gør login færdigt',
    cancel: 'Annuller',
  },
  faults: {
    summary: { one: 'Se på dette svar igen:', other: 'Se på disse {count} svar igen:' },
    required: 'Besvar spørgsmålet.',
    requiredOption: 'Vælg en mulighed.',
    requiredTick: 'Sæt kryds her for at fortsætte.',
    'not-a-text': 'Her er et tegn, der ikke kan sendes.',
    'not-a-number': 'Indtast et tal.',
    'not-a-date': 'Indtast en hel dato, der findes.',
    'not-an-email': 'Indtast en e-mailadresse, f.eks. navn@example.com.',
    'not-an-option': 'Vælg en af mulighederne.',
    numberTooLow: 'Indtast {limit} eller mere.',
    numberTooHigh: 'Indtast {limit} eller mindre.',
    dateTooEarly: 'Indtast {limit} eller en senere dato.',
    dateTooLate: 'Indtast {limit} eller en tidligere dato.',
    'too-short': { one: 'Indtast mindst {count} tegn.', other: 'Indtast mindst {count} tegn.' },
    'too-long': { one: 'Forkort til {count} tegn.', other: 'Forkort til {count} tegn.' },
    pattern: 'Det har ikke den form, der bedes om.',
  },
  outcome: {
    accepted: 'Du er logget ind',
    cancelled: 'Login annulleret',
    onTheWay: 'Du sendes tilbage …',
    goOn: 'Fortsæt, hvis der ikke sker noget',
    rejected: 'Webstedet godkendte ikke dit login',
    noReason: 'Webstedet gav ingen grund.',
    continue: 'Fortsæt',
    failed: 'Det lykkedes ikke at logge ind',
    unavailable: 'Du kan ikke logge ind lige nu',
  },
  endings: {
    declined: {
      heading: 'Du gav ikke adgang',
      text: 'Du er ikke logget ind. Hvis du fortryder, kan du logge ind igen fra kommentarfeltet.',
    },
    rejected: { heading: 'Webstedet godkendte ikke dit login', text: 'Du er ikke logget ind.' },
    'already-granted': {
      heading: 'Du havde allerede givet adgang',
      text: 'Her er ikke mere at gøre. Hvis kommentarfeltet stadig spørger, så log ind en gang til.',
    },
    cancelled: { heading: 'Login annulleret', text: 'Du er ikke logget ind.' },
    'signed-in': { heading: 'Du er logget ind', text: 'Du kan gå tilbage og sende din kommentar.' },
    'nothing-to-do': {
      heading: 'Her er ikke noget at gøre',
      text: 'Der er ikke noget login i gang i dette vindue. Gå tilbage til artiklen, og log ind fra kommentarfeltet.',
    },
    'invalid-return': {
      heading: 'Loginlinket er ikke helt',
      text: 'En del af det mangler. Gå tilbage til artiklen, og log ind igen fra kommentarfeltet.',
    },
  },
  way: {
    tryAgain: 'Prøv igen',
    startAgain: 'Log ind igen',
    close: 'Luk vinduet',
    closeYourself: 'Din browser lod vinduet være åbent. Du kan lukke det nu.',
    toSite: 'Gå til {site}',
    toComments: 'Tilbage til kommentarerne',
  },
  problems: {
    'payload-too-large': 'Dine svar er for lange.',
    'outcome-unknown': 'Det er ikke sikkert, om du blev logget ind. Log ind igen.',
    'service-refused': 'Kommentartjenesten godkendte ikke dette login. Log ind igen.',
    'bad-service-response': 'Kommentartjenesten gav et svar, der ikke kunne bruges. Log ind igen.',
    'service-unavailable': 'Kommentartjenesten er ikke tilgængelig lige nu. Prøv igen om et øjeblik.',
  },
};
