/** Nederlands. */

import type { Language } from './language.ts';

export const core: Language['core'] = {
  heading: 'Reacties',
  message: 'Je reactie',
  post: 'Reactie plaatsen',
  notLoaded: 'Plaatsen lukt nu niet. Je tekst blijft op dit apparaat bewaard. Laad de pagina opnieuw om het nog eens te proberen.',
};

export const engine: Language['engine'] = {
  account: {
    signedInAs: 'Je reageert als {name}',
    signOut: 'Uitloggen',
    mayWrite: 'Schrijf nu, log in om te plaatsen.',
  },
  action: {
    signIn: 'Inloggen om te plaatsen',
    posting: 'Wordt geplaatst…',
    tryAgain: 'Opnieuw proberen',
  },
  status: {
    oneMoment: 'Een ogenblik…',
    waiting: 'Het inloggen gaat verder in een ander venster.',
    reopen: 'Opnieuw openen',
    popupBlocked: 'Je browser heeft geen venster geopend, dus het inloggen gaat verder op deze pagina. Je tekst blijft bewaard.',
    goOnHere: 'Nu verdergaan',
    offline: 'Je bent offline. Je tekst blijft op dit apparaat bewaard.',
    unavailable: 'Inloggen lukt nu niet. Schrijf gerust verder: je tekst blijft bewaard en we blijven het proberen.',
    posting: 'Wordt geplaatst…',
    retrying: {
      one: 'Nog niet geplaatst. Nieuwe poging over {count} seconde.',
      other: 'Nog niet geplaatst. Nieuwe poging over {count} seconden.',
    },
    stop: 'Stoppen met proberen',
  },
  notes: {
    signInFirst: 'Log in om te plaatsen. Je tekst blijft bewaard.',
    signedIn: 'Je bent ingelogd als {name}.',
    notPostedYet: 'Je bent ingelogd als {name}. Je reactie is nog niet geplaatst.',
    signedOut: 'Je bent uitgelogd.',
    posted: 'Je reactie is geplaatst.',
    stopped: 'Gestopt. Je tekst blijft bewaard.',
  },
  notices: {
    declined: 'Je hebt geen toegang gegeven, dus je bent niet ingelogd.',
    rejected: 'Deze site heeft de aanmelding niet geaccepteerd.',
    'already-granted': 'Je had al eerder toegang gegeven. Ben je nog steeds niet ingelogd, log dan nog een keer in.',
  },
  alert: {
    empty: 'Schrijf eerst iets.',
    notPosted: 'Je reactie is niet geplaatst. {reason} Je tekst blijft bewaard.',
    offline: 'Je bent offline.',
    unsure: '{reason} Kijk of je reactie er al staat voordat je die opnieuw plaatst.',
    serviceSays: 'Het antwoord: {words}',
    invalidReturn: 'Deze inloglink is niet compleet. Log opnieuw in.',
    formNotLoaded: 'Het inlogformulier kon niet worden geladen. Probeer het opnieuw.',
  },
  choice: {
    iCanSeeIt: 'Ik zie mijn reactie',
    postAgain: 'Opnieuw plaatsen',
  },
  signIn: {
    about: 'Je staat op het punt in te loggen als {name}.',
    continueAs: 'Doorgaan als {name}',
    notYou: 'Ben jij dit niet?',
    unfinished: 'Je bent nog niet klaar met inloggen als {name}.',
    goOn: 'Verder met inloggen',
    cancel: 'Annuleren',
  },
  counter: {
    left: { one: 'Nog {count} teken', other: 'Nog {count} tekens' },
    over: { one: '{count} teken te veel', other: '{count} tekens te veel' },
    near: 'Je reactie is bijna op de maximale lengte.',
    tooLong: 'Je reactie is te lang.',
  },
  posts: {
    heading: 'Zojuist geplaatst',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'De reactiedienst begreep dit verzoek niet. Laad de pagina opnieuw en probeer het nog eens.',
  'untrusted-completion-uri': 'Deze inloglink leidt niet terug naar de reactiedienst en is daarom niet gebruikt. Log opnieuw in.',
  'untrusted-return-uri': 'Inloggen mag niet vanaf deze pagina. Laat het de site weten.',
  'not-signed-in': 'Je bent niet meer ingelogd. Log opnieuw in.',
  'cross-site-request': 'Deze pagina mag de reactiedienst niet gebruiken. Laat het de site weten.',
  'forum-not-allowed': 'Reacties zijn niet ingesteld voor deze pagina. Laat het de site weten.',
  'user-mismatch': 'De reactiedienst bevestigde een ander account. Log opnieuw in.',
  'not-found': 'De reactiedienst is niet gevonden. Laat het de site weten.',
  'method-not-allowed': 'De reactiedienst nam dit verzoek niet aan. Laad de pagina opnieuw en probeer het nog eens.',
  'not-acceptable': 'De reactiedienst kon deze browser niet antwoorden. Laat het de site weten.',
  'no-sync-in-progress': 'Deze aanmelding is beëindigd of duurde te lang. Log opnieuw in.',
  'code-already-used': 'Deze aanmelding is al eerder gebruikt. Log opnieuw in.',
  'post-in-progress': 'Deze reactie wordt nog geplaatst.',
  'idempotency-key-reused': 'Misschien is een eerdere versie van deze reactie al geplaatst.',
  'message-too-long': 'Deze reactie is te lang.',
  'payload-too-large': 'Deze reactie is te lang.',
  'unsupported-media-type': 'De reactiedienst nam dit verzoek niet aan. Laad de pagina opnieuw en probeer het nog eens.',
  'invalid-answers': 'Kijk je antwoorden nog eens na.',
  'too-many-requests': 'Dat was veel tegelijk. Wacht even en probeer het opnieuw.',
  'service-refused': 'De reactiedienst heeft geweigerd.',
  'bad-service-response': 'De reactiedienst gaf een onbruikbaar antwoord. Probeer het opnieuw.',
  'service-unavailable': 'De reactiedienst is nu niet beschikbaar.',
  'outcome-unknown': 'Het is niet zeker of deze reactie is geplaatst.',
  'internal-error': 'Er ging bij ons iets mis. Probeer het opnieuw.',
  network: 'De reactiedienst was niet bereikbaar.',
};

export const notice: Language['notice'] = {
  comments: 'De beveiligingsinstellingen van deze pagina verhinderen dat het reactievak wordt getoond.',
  openComments: 'Schrijf een reactie op een aparte pagina',
  sync: 'De beveiligingsinstellingen van deze pagina verhinderen dat het formulier wordt getoond.',
  openSync: 'Verder met inloggen op een aparte pagina',
};

export const sync: Language['sync'] = {
  wait: {
    asking: 'Een ogenblik…',
    starting: 'Inloggen…',
    sending: 'Je antwoorden worden gecontroleerd…',
    cancelling: 'Wordt geannuleerd…',
    slow: 'Dit duurt langer dan gewoonlijk. Blijf op deze pagina.',
  },
  confirm: {
    heading: 'Inloggen om te reageren',
    about: 'Je staat op het punt in te loggen met dit account:',
    continueAs: 'Doorgaan als {name}',
    notYou: 'Ben jij dit niet? Annuleren',
    nothingSent: 'Niemand wordt ingelogd voordat je doorgaat.',
  },
  questions: {
    heading: 'Voordat je reageert',
    about: 'Deze site vraagt aan iedereen die wil reageren:',
    signingInAs: 'Inloggen als {name}',
    requiredMark: '* moet worden beantwoord',
    optional: '(optioneel)',
    choose: 'Maak een keuze',
    noAnswer: 'Geen antwoord',
    submit: 'Inloggen afronden',
    cancel: 'Annuleren',
  },
  faults: {
    summary: { one: 'Kijk dit antwoord nog eens na:', other: 'Kijk deze {count} antwoorden nog eens na:' },
    required: 'Beantwoord deze vraag.',
    requiredOption: 'Maak een keuze.',
    requiredTick: 'Vink dit aan om verder te gaan.',
    'not-a-text': 'Hier staat een teken in dat niet kan worden verstuurd.',
    'not-a-number': 'Vul een getal in.',
    'not-a-date': 'Vul een volledige, bestaande datum in.',
    'not-an-email': 'Vul een e-mailadres in, zoals naam@example.com.',
    'not-an-option': 'Kies een van de opties.',
    numberTooLow: 'Vul {limit} of meer in.',
    numberTooHigh: 'Vul {limit} of minder in.',
    dateTooEarly: 'Vul {limit} of een latere datum in.',
    dateTooLate: 'Vul {limit} of een eerdere datum in.',
    'too-short': { one: 'Vul minstens {count} teken in.', other: 'Vul minstens {count} tekens in.' },
    'too-long': { one: 'Kort dit in tot {count} teken.', other: 'Kort dit in tot {count} tekens.' },
    pattern: 'Dit heeft niet de gevraagde vorm.',
  },
  outcome: {
    accepted: 'Je bent ingelogd',
    cancelled: 'Inloggen geannuleerd',
    onTheWay: 'We brengen je terug…',
    goOn: 'Doorgaan als er niets gebeurt',
    rejected: 'Deze site heeft de aanmelding niet geaccepteerd',
    noReason: 'De site gaf geen reden.',
    continue: 'Doorgaan',
    failed: 'Inloggen is niet gelukt',
    unavailable: 'Inloggen lukt nu niet',
  },
  endings: {
    declined: {
      heading: 'Je hebt geen toegang gegeven',
      text: 'Je bent niet ingelogd. Bedenk je je, log dan opnieuw in vanuit het reactievak.',
    },
    rejected: { heading: 'Deze site heeft de aanmelding niet geaccepteerd', text: 'Je bent niet ingelogd.' },
    'already-granted': {
      heading: 'Je had al eerder toegang gegeven',
      text: 'Hier hoef je niets meer te doen. Vraagt het reactievak het nog steeds, log dan nog een keer in.',
    },
    cancelled: { heading: 'Inloggen geannuleerd', text: 'Je bent niet ingelogd.' },
    'signed-in': { heading: 'Je bent ingelogd', text: 'Je kunt teruggaan en je reactie plaatsen.' },
    'nothing-to-do': {
      heading: 'Hier is niets te doen',
      text: 'In dit venster wordt niet ingelogd. Ga terug naar het artikel en log in vanuit het reactievak.',
    },
    'invalid-return': {
      heading: 'Deze inloglink is niet compleet',
      text: 'Er ontbreekt een deel. Ga terug naar het artikel en log opnieuw in vanuit het reactievak.',
    },
  },
  way: {
    tryAgain: 'Opnieuw proberen',
    startAgain: 'Opnieuw inloggen',
    close: 'Dit venster sluiten',
    closeYourself: 'Je browser heeft dit venster opengelaten. Je kunt het nu sluiten.',
    toSite: 'Naar {site}',
    toComments: 'Terug naar de reacties',
  },
  problems: {
    'payload-too-large': 'Je antwoorden zijn te lang.',
    'outcome-unknown': 'Het is niet zeker of het inloggen is gelukt. Log opnieuw in.',
    'service-refused': 'De reactiedienst heeft deze aanmelding niet geaccepteerd. Log opnieuw in.',
    'bad-service-response': 'De reactiedienst gaf een onbruikbaar antwoord. Log opnieuw in.',
    'service-unavailable': 'De reactiedienst is nu niet beschikbaar. Probeer het zo meteen opnieuw.',
  },
};
