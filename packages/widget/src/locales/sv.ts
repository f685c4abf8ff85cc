/** Svenska. */

import type { Language } from './language.ts';

export const core: Language['core'] = {
  heading: 'Kommentarer',
  message: 'Din kommentar',
  post: 'Publicera kommentar',
  notLoaded: 'Det går inte att publicera just nu. Din text sparas på den här enheten. Ladda om sidan för att försöka igen.',
};

export const engine: Language['engine'] = {
  account: {
    signedInAs: 'Du kommenterar som {name}',
    signOut: 'Logga ut',
    mayWrite: 'Skriv nu, logga in för att publicera.',
  },
  action: {
    signIn: 'Logga in för att publicera',
    posting: 'Publicerar …',
    tryAgain: 'Försök igen',
  },
  status: {
    oneMoment: 'Ett ögonblick …',
    waiting: 'Inloggningen fortsätter i ett annat fönster.',
    reopen: 'Öppna igen',
    popupBlocked: 'Din webbläsare öppnade inget fönster, så inloggningen fortsätter på den här sidan. Din text sparas.',
    goOnHere: 'Fortsätt nu',
    offline: 'Du är offline. Din text sparas på den här enheten.',
    unavailable: 'Det går inte att logga in just nu. Fortsätt skriva: din text sparas och vi fortsätter att försöka.',
    posting: 'Publicerar …',
    retrying: {
      one: 'Inte publicerad än. Nytt försök om {count} sekund.',
      other: 'Inte publicerad än. Nytt försök om {count} sekunder.',
    },
    stop: 'Sluta försöka',
  },
  notes: {
    signInFirst: 'Logga in för att publicera. Din text sparas.',
    signedIn: 'Du är inloggad som {name}.',
    notPostedYet: 'Du är inloggad som {name}. Din kommentar är inte publicerad än.',
    signedOut: 'Du är utloggad.',
    posted: 'Din kommentar är publicerad.',
    stopped: 'Stoppat. Din text sparas.',
  },
  notices: {
    declined: 'Du gav inte åtkomst, så du är inte inloggad.',
    rejected: 'Webbplatsen godkände inte inloggningen.',
    'already-granted': 'Du hade redan gett åtkomst. Om du fortfarande inte är inloggad, logga in en gång till.',
  },
  alert: {
    empty: 'Skriv något först.',
    notPosted: 'Din kommentar publicerades inte. {reason} Din text sparas.',
    offline: 'Du är offline.',
    unsure: '{reason} Titta efter om den redan finns där innan du publicerar den igen.',
    serviceSays: 'Svaret var: {words}',
    invalidReturn: 'Inloggningslänken är inte hel. Logga in igen.',
    formNotLoaded: 'Inloggningsformuläret kunde inte laddas. Försök igen.',
  },
  choice: {
    iCanSeeIt: 'Jag ser den',
    postAgain: 'Publicera igen',
  },
  signIn: {
    about: 'Du är på väg att logga in som {name}.',
    continueAs: 'Fortsätt som {name}',
    notYou: 'Är det inte du?',
    unfinished: 'Din inloggning som {name} är inte klar än.',
    goOn: 'Fortsätt logga in',
    cancel: 'Avbryt',
  },
  counter: {
    left: { one: '{count} tecken kvar', other: '{count} tecken kvar' },
    over: { one: '{count} tecken för mycket', other: '{count} tecken för mycket' },
    near: 'Din kommentar är nära den längsta tillåtna.',
    tooLong: 'Din kommentar är för lång.',
  },
  posts: {
    heading: 'Nyss publicerat',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'Kommentarstjänsten förstod inte begäran. Ladda om sidan och försök igen.',
  'untrusted-completion-uri': 'Inloggningslänken leder inte tillbaka till kommentarstjänsten, så den användes inte. Logga in igen.',
  'untrusted-return-uri': 'Den här sidan får inte användas för inloggning. Meddela webbplatsen.',
  'not-signed-in': 'Du är inte längre inloggad. Logga in igen.',
  'cross-site-request': 'Den här sidan får inte använda kommentarstjänsten. Meddela webbplatsen.',
  'forum-not-allowed': 'Kommentarer är inte inställda för den här sidan. Meddela webbplatsen.',
  'user-mismatch': 'Kommentarstjänsten bekräftade ett annat konto. Logga in igen.',
  'not-found': 'Kommentarstjänsten hittades inte. Meddela webbplatsen.',
  'method-not-allowed': 'Kommentarstjänsten tog inte emot begäran. Ladda om sidan och försök igen.',
  'not-acceptable': 'Kommentarstjänsten kunde inte svara den här webbläsaren. Meddela webbplatsen.',
  'no-sync-in-progress': 'Inloggningen är avslutad eller tog för lång tid. Logga in igen.',
  'code-already-used': 'Inloggningen har redan använts. Logga in igen.',
  'post-in-progress': 'Kommentaren håller fortfarande på att publiceras.',
  'idempotency-key-reused': 'En tidigare version av kommentaren kan redan ha publicerats.',
  'message-too-long': 'Kommentaren är för lång.',
  'payload-too-large': 'Kommentaren är för lång.',
  'unsupported-media-type': 'Kommentarstjänsten tog inte emot begäran. Ladda om sidan och försök igen.',
  'invalid-answers': 'Titta igenom dina svar igen.',
  'too-many-requests': 'Det var mycket på en gång. Vänta ett ögonblick och försök igen.',
  'service-refused': 'Kommentarstjänsten sa nej.',
  'bad-service-response': 'Kommentarstjänsten gav ett svar som inte kunde användas. Försök igen.',
  'service-unavailable': 'Kommentarstjänsten är inte tillgänglig just nu.',
  'outcome-unknown': 'Det är inte säkert att kommentaren publicerades.',
  'internal-error': 'Något gick fel hos oss. Försök igen.',
  network: 'Det gick inte att nå kommentarstjänsten.',
};

export const notice: Language['notice'] = {
  comments: 'Sidans säkerhetsinställningar hindrar kommentarsrutan från att visas.',
  openComments: 'Skriv en kommentar på en egen sida',
  sync: 'Sidans säkerhetsinställningar hindrar formuläret från att visas.',
  openSync: 'Fortsätt logga in på en egen sida',
};

export const sync: Language['sync'] = {
  wait: {
    asking: 'Ett ögonblick …',
    starting: 'Loggar in …',
    sending: 'Kontrollerar dina svar …',
    cancelling: 'Avbryter …',
    slow: 'Det tar längre tid än vanligt. Stanna kvar på sidan.',
  },
  confirm: {
    heading: 'Logga in för att kommentera',
    about: 'Du är på väg att logga in med det här kontot:',
    continueAs: 'Fortsätt som {name}',
    notYou: 'Är det inte du? Avbryt',
    nothingSent: 'Ingen loggas in förrän du fortsätter.',
  },
  questions: {
    heading: 'Innan du kommenterar',
    about: 'Webbplatsen frågar alla som vill kommentera:',
    signingInAs: 'Loggar in som {name}',
    requiredMark: '* måste besvaras',
    optional: '(frivilligt)',
    choose: 'Välj ett svar',
    noAnswer: 'Inget svar',
    submit: 'Slutför inloggningen',
    cancel: 'Avbryt',
  },
  faults: {
    summary: { one: 'Titta på det här svaret igen:', other: 'Titta på de här {count} svaren igen:' },
    required: 'Svara på frågan.',
    requiredOption: 'Välj ett alternativ.',
    requiredTick: 'Kryssa i rutan för att gå vidare.',
    'not-a-text': 'Här finns ett tecken som inte kan skickas.',
    'not-a-number': 'Ange ett tal.',
    'not-a-date': 'Ange ett helt datum som finns.',
    'not-an-email': 'Ange en e-postadress, till exempel namn@example.com.',
    'not-an-option': 'Välj ett av alternativen.',
    numberTooLow: 'Ange {limit} eller mer.',
    numberTooHigh: 'Ange {limit} eller mindre.',
    dateTooEarly: 'Ange {limit} eller ett senare datum.',
    dateTooLate: 'Ange {limit} eller ett tidigare datum.',
    'too-short': { one: 'Ange minst {count} tecken.', other: 'Ange minst {count} tecken.' },
    'too-long': { one: 'Korta ned till {count} tecken.', other: 'Korta ned till {count} tecken.' },
    pattern: 'Det här har inte den form som efterfrågas.',
  },
  outcome: {
    accepted: 'Du är inloggad',
    cancelled: 'Inloggningen avbröts',
    onTheWay: 'Du skickas tillbaka …',
    goOn: 'Fortsätt om inget händer',
    rejected: 'Webbplatsen godkände inte inloggningen',
    noReason: 'Webbplatsen angav inget skäl.',
    continue: 'Fortsätt',
    failed: 'Inloggningen fungerade inte',
    unavailable: 'Det går inte att logga in just nu',
  },
  endings: {
    declined: {
      heading: 'Du gav inte åtkomst',
      text: 'Du är inte inloggad. Om du ändrar dig, logga in igen från kommentarsrutan.',
    },
    rejected: { heading: 'Webbplatsen godkände inte inloggningen', text: 'Du är inte inloggad.' },
    'already-granted': {
      heading: 'Du hade redan gett åtkomst',
      text: 'Här finns inget mer att göra. Om kommentarsrutan fortfarande frågar, logga in en gång till.',
    },
    cancelled: { heading: 'Inloggningen avbröts', text: 'Du är inte inloggad.' },
    'signed-in': { heading: 'Du är inloggad', text: 'Du kan gå tillbaka och publicera din kommentar.' },
    'nothing-to-do': {
      heading: 'Här finns inget att göra',
      text: 'Ingen inloggning pågår i det här fönstret. Gå tillbaka till artikeln och logga in från kommentarsrutan.',
    },
    'invalid-return': {
      heading: 'Inloggningslänken är inte hel',
      text: 'En del av den saknas. Gå tillbaka till artikeln och logga in igen från kommentarsrutan.',
    },
  },
  way: {
    tryAgain: 'Försök igen',
    startAgain: 'Logga in igen',
    close: 'Stäng fönstret',
    closeYourself: 'Din webbläsare lät fönstret vara öppet. Du kan stänga det nu.',
    toSite: 'Gå till {site}',
    toComments: 'Tillbaka till kommentarerna',
  },
  problems: {
    'payload-too-large': 'Dina svar är för långa.',
    'outcome-unknown': 'Det är inte säkert att inloggningen fungerade. Logga in igen.',
    'service-refused': 'Kommentarstjänsten godkände inte inloggningen. Logga in igen.',
    'bad-service-response': 'Kommentarstjänsten gav ett svar som inte kunde användas. Logga in igen.',
    'service-unavailable': 'Kommentarstjänsten är inte tillgänglig just nu. Försök igen om en stund.',
  },
};
