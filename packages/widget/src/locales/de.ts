/** Deutsch. */

import type { Language } from './language.ts';

export const core: Language['core'] = {
  heading: 'Kommentare',
  message: 'Ihr Kommentar',
  post: 'Kommentar posten',
  notLoaded: 'Das Posten ist gerade nicht möglich. Ihr Text bleibt auf diesem Gerät gespeichert. Laden Sie die Seite neu, um es noch einmal zu versuchen.',
};

export const engine: Language['engine'] = {
  account: {
    signedInAs: 'Sie kommentieren als {name}',
    signOut: 'Abmelden',
    mayWrite: 'Jetzt schreiben, zum Posten anmelden.',
  },
  action: {
    signIn: 'Zum Posten anmelden',
    posting: 'Wird gepostet …',
    tryAgain: 'Noch einmal versuchen',
  },
  status: {
    oneMoment: 'Einen Moment …',
    waiting: 'Die Anmeldung läuft in einem anderen Fenster.',
    reopen: 'Noch einmal öffnen',
    popupBlocked: 'Ihr Browser hat kein Fenster geöffnet, deshalb geht die Anmeldung auf dieser Seite weiter. Ihr Text bleibt erhalten.',
    goOnHere: 'Jetzt weiter',
    offline: 'Sie sind offline. Ihr Text bleibt auf diesem Gerät gespeichert.',
    unavailable: 'Die Anmeldung ist gerade nicht möglich. Schreiben Sie ruhig weiter: Ihr Text bleibt erhalten, und wir versuchen es weiter.',
    posting: 'Wird gepostet …',
    retrying: {
      one: 'Noch nicht gepostet. Nächster Versuch in {count} Sekunde.',
      other: 'Noch nicht gepostet. Nächster Versuch in {count} Sekunden.',
    },
    stop: 'Nicht weiter versuchen',
  },
  notes: {
    signInFirst: 'Melden Sie sich an, um zu posten. Ihr Text bleibt erhalten.',
    signedIn: 'Sie sind als {name} angemeldet.',
    notPostedYet: 'Sie sind als {name} angemeldet. Ihr Kommentar ist noch nicht gepostet.',
    signedOut: 'Sie sind abgemeldet.',
    posted: 'Ihr Kommentar ist gepostet.',
    stopped: 'Angehalten. Ihr Text bleibt erhalten.',
  },
  notices: {
    declined: 'Sie haben den Zugriff nicht erlaubt und sind deshalb nicht angemeldet.',
    rejected: 'Diese Website hat die Anmeldung nicht angenommen.',
    'already-granted': 'Sie hatten den Zugriff schon erlaubt. Wenn Sie trotzdem nicht angemeldet sind, melden Sie sich bitte noch einmal an.',
  },
  alert: {
    empty: 'Schreiben Sie zuerst etwas.',
    notPosted: 'Ihr Kommentar wurde nicht gepostet. {reason} Ihr Text bleibt erhalten.',
    offline: 'Sie sind offline.',
    unsure: '{reason} Bitte sehen Sie nach, ob er schon da ist, bevor Sie ihn noch einmal posten.',
    serviceSays: 'Er meldet: {words}',
    invalidReturn: 'Dieser Anmeldelink ist unvollständig. Bitte melden Sie sich noch einmal an.',
    formNotLoaded: 'Das Anmeldeformular konnte nicht geladen werden. Bitte versuchen Sie es noch einmal.',
  },
  choice: {
    iCanSeeIt: 'Er ist schon da',
    postAgain: 'Noch einmal posten',
  },
  signIn: {
    about: 'Sie melden sich gleich als {name} an.',
    continueAs: 'Weiter als {name}',
    notYou: 'Das sind nicht Sie?',
    unfinished: 'Ihre Anmeldung als {name} ist noch nicht abgeschlossen.',
    goOn: 'Anmeldung fortsetzen',
    cancel: 'Abbrechen',
  },
  counter: {
    left: { one: 'Noch {count} Zeichen', other: 'Noch {count} Zeichen' },
    over: { one: '{count} Zeichen zu viel', other: '{count} Zeichen zu viel' },
    near: 'Ihr Kommentar erreicht bald die Höchstlänge.',
    tooLong: 'Ihr Kommentar ist zu lang.',
  },
  posts: {
    heading: 'Gerade gepostet',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'Der Kommentardienst hat die Anfrage nicht verstanden. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'untrusted-completion-uri': 'Dieser Anmeldelink führt nicht zum Kommentardienst zurück und wurde deshalb nicht verwendet. Bitte melden Sie sich noch einmal an.',
  'untrusted-return-uri': 'Auf dieser Seite ist die Anmeldung nicht erlaubt. Bitte sagen Sie der Website Bescheid.',
  'not-signed-in': 'Sie sind nicht mehr angemeldet. Bitte melden Sie sich noch einmal an.',
  'cross-site-request': 'Diese Seite darf nicht auf den Kommentardienst zugreifen. Bitte sagen Sie der Website Bescheid.',
  'forum-not-allowed': 'Für diese Seite sind Kommentare nicht eingerichtet. Bitte sagen Sie der Website Bescheid.',
  'user-mismatch': 'Der Kommentardienst hat ein anderes Konto bestätigt. Bitte melden Sie sich noch einmal an.',
  'not-found': 'Der Kommentardienst wurde nicht gefunden. Bitte sagen Sie der Website Bescheid.',
  'method-not-allowed': 'Der Kommentardienst hat die Anfrage nicht angenommen. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'not-acceptable': 'Der Kommentardienst konnte diesem Browser nicht antworten. Bitte sagen Sie der Website Bescheid.',
  'no-sync-in-progress': 'Diese Anmeldung ist beendet oder hat zu lange gedauert. Bitte melden Sie sich noch einmal an.',
  'code-already-used': 'Diese Anmeldung wurde schon verwendet. Bitte melden Sie sich noch einmal an.',
  'post-in-progress': 'Dieser Kommentar wird gerade gepostet.',
  'idempotency-key-reused': 'Eine frühere Fassung dieses Kommentars ist vielleicht schon gepostet.',
  'message-too-long': 'Dieser Kommentar ist zu lang.',
  'payload-too-large': 'Dieser Kommentar ist zu lang.',
  'unsupported-media-type': 'Der Kommentardienst hat die Anfrage nicht angenommen. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'invalid-answers': 'Bitte sehen Sie Ihre Antworten noch einmal durch.',
  'too-many-requests': 'Das war viel auf einmal. Bitte warten Sie einen Moment und versuchen Sie es noch einmal.',
  'service-refused': 'Der Kommentardienst hat abgelehnt.',
  'bad-service-response': 'Mit der Antwort des Kommentardienstes war nichts anzufangen. Bitte versuchen Sie es noch einmal.',
  'service-unavailable': 'Der Kommentardienst ist gerade nicht verfügbar.',
  'outcome-unknown': 'Es ist nicht sicher, ob dieser Kommentar gepostet wurde.',
  'internal-error': 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es noch einmal.',
  network: 'Der Kommentardienst war nicht zu erreichen.',
};

export const notice: Language['notice'] = {
  comments: 'Die Sicherheitseinstellungen dieser Seite lassen das Kommentarfeld nicht zu.',
  openComments: 'Kommentar auf einer eigenen Seite schreiben',
  sync: 'Die Sicherheitseinstellungen dieser Seite lassen das Formular nicht zu.',
  openSync: 'Anmeldung auf einer eigenen Seite fortsetzen',
};

export const sync: Language['sync'] = {
  wait: {
    asking: 'Einen Moment …',
    starting: 'Sie werden angemeldet …',
    sending: 'Ihre Antworten werden geprüft …',
    cancelling: 'Wird abgebrochen …',
    slow: 'Das dauert länger als sonst. Bitte bleiben Sie auf dieser Seite.',
  },
  confirm: {
    heading: 'Zum Kommentieren anmelden',
    about: 'Sie melden sich gleich mit diesem Konto an:',
    continueAs: 'Weiter als {name}',
    notYou: 'Das sind nicht Sie? Abbrechen',
    nothingSent: 'Angemeldet wird erst, wenn Sie fortfahren.',
  },
  questions: {
    heading: 'Bevor Sie kommentieren',
    about: 'Das fragt diese Website alle, die kommentieren möchten:',
    signingInAs: 'Anmeldung als {name}',
    requiredMark: '* muss beantwortet werden',
    optional: '(freiwillig)',
    choose: 'Bitte wählen',
    noAnswer: 'Keine Angabe',
    submit: 'Anmeldung abschließen',
    cancel: 'Abbrechen',
  },
  faults: {
    summary: { one: 'Bitte sehen Sie sich diese Antwort noch einmal an:', other: 'Bitte sehen Sie sich diese {count} Antworten noch einmal an:' },
    required: 'Bitte beantworten Sie diese Frage.',
    requiredOption: 'Bitte wählen Sie etwas aus.',
    requiredTick: 'Bitte setzen Sie hier ein Häkchen, um fortzufahren.',
    'not-a-text': 'Darin steht ein Zeichen, das nicht gesendet werden kann.',
    'not-a-number': 'Bitte geben Sie eine Zahl ein.',
    'not-a-date': 'Bitte geben Sie ein vollständiges, gültiges Datum ein.',
    'not-an-email': 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    'not-an-option': 'Bitte wählen Sie eine der Möglichkeiten.',
    numberTooLow: 'Bitte geben Sie {limit} oder mehr ein.',
    numberTooHigh: 'Bitte geben Sie {limit} oder weniger ein.',
    dateTooEarly: 'Bitte geben Sie den {limit} oder einen späteren Tag ein.',
    dateTooLate: 'Bitte geben Sie den {limit} oder einen früheren Tag ein.',
    'too-short': { one: 'Bitte geben Sie mindestens {count} Zeichen ein.', other: 'Bitte geben Sie mindestens {count} Zeichen ein.' },
    'too-long': { one: 'Bitte kürzen Sie dies auf {count} Zeichen.', other: 'Bitte kürzen Sie dies auf {count} Zeichen.' },
    pattern: 'Das hat nicht die verlangte Form.',
  },
  outcome: {
    accepted: 'Sie sind angemeldet',
    cancelled: 'Anmeldung abgebrochen',
    onTheWay: 'Es geht zurück …',
    goOn: 'Weiter, falls nichts geschieht',
    rejected: 'Diese Website hat die Anmeldung nicht angenommen',
    noReason: 'Die Website hat keinen Grund genannt.',
    continue: 'Weiter',
    failed: 'Die Anmeldung hat nicht geklappt',
    unavailable: 'Die Anmeldung ist gerade nicht möglich',
  },
  endings: {
    declined: {
      heading: 'Sie haben den Zugriff nicht erlaubt',
      text: 'Sie sind nicht angemeldet. Wenn Sie es sich anders überlegen, melden Sie sich am Kommentarfeld noch einmal an.',
    },
    rejected: { heading: 'Diese Website hat die Anmeldung nicht angenommen', text: 'Sie sind nicht angemeldet.' },
    'already-granted': {
      heading: 'Sie hatten den Zugriff schon erlaubt',
      text: 'Hier ist nichts mehr zu tun. Wenn das Kommentarfeld trotzdem fragt, melden Sie sich bitte noch einmal an.',
    },
    cancelled: { heading: 'Anmeldung abgebrochen', text: 'Sie sind nicht angemeldet.' },
    'signed-in': { heading: 'Sie sind angemeldet', text: 'Sie können zurückgehen und Ihren Kommentar posten.' },
    'nothing-to-do': {
      heading: 'Hier ist nichts zu tun',
      text: 'In diesem Fenster läuft keine Anmeldung. Gehen Sie zum Artikel zurück und melden Sie sich am Kommentarfeld an.',
    },
    'invalid-return': {
      heading: 'Dieser Anmeldelink ist unvollständig',
      text: 'Ein Teil davon fehlt. Gehen Sie zum Artikel zurück und melden Sie sich am Kommentarfeld noch einmal an.',
    },
  },
  way: {
    tryAgain: 'Noch einmal versuchen',
    startAgain: 'Noch einmal anmelden',
    close: 'Fenster schließen',
    closeYourself: 'Ihr Browser hat dieses Fenster offen gelassen. Sie können es jetzt schließen.',
    toSite: 'Zu {site}',
    toComments: 'Zurück zu den Kommentaren',
  },
  problems: {
    'payload-too-large': 'Ihre Antworten sind zu lang.',
    'outcome-unknown': 'Es ist nicht sicher, ob die Anmeldung geklappt hat. Bitte melden Sie sich noch einmal an.',
    'service-refused': 'Der Kommentardienst hat diese Anmeldung nicht angenommen. Bitte melden Sie sich noch einmal an.',
    'bad-service-response': 'Mit der Antwort des Kommentardienstes war nichts anzufangen. Bitte melden Sie sich noch einmal an.',
    'service-unavailable': 'Der Kommentardienst ist gerade nicht verfügbar. Bitte versuchen Sie es gleich noch einmal.',
  },
};
