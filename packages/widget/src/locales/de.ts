/** Deutsch. */

import type { Language } from './language.ts';

export const core: Language['core'] = {
  heading: 'Kommentare',
  message: 'Ihr Kommentar',
  post: 'Kommentar posten',
  signIn: 'Anmelden, um zu kommentieren',
  notLoaded: 'Posten ist gerade nicht möglich. Bitte versuchen Sie es noch einmal.',
};

export const comments: Language['comments'] = {
  account: {
    signedInAs: 'Sie kommentieren als {name}',
    signOut: 'Abmelden',
    mayWrite: 'Jetzt schreiben, zum Posten anmelden.',
  },
  action: {
    posting: 'Wird gepostet …',
    tryAgain: 'Noch einmal versuchen',
  },
  status: {
    oneMoment: 'Einen Moment …',
    waiting: 'Schließen Sie die Anmeldung im anderen Fenster ab.',
    reopen: 'Noch einmal öffnen',
    offline: 'Sie sind offline.',
    unavailable: 'Die Anmeldung ist gerade nicht möglich. Wir versuchen es weiter …',
    posting: 'Wird gepostet …',
    retrying: {
      one: 'Noch nicht gepostet. Nächster Versuch in {count} Sekunde.',
      other: 'Noch nicht gepostet. Nächster Versuch in {count} Sekunden.',
    },
    stop: 'Nicht weiter versuchen',
  },
  messages: {
    signInFirst: 'Melden Sie sich an, um zu posten.',
    signedIn: 'Sie sind als {name} angemeldet.',
    notPostedYet: 'Sie sind als {name} angemeldet. Ihr Kommentar ist noch nicht gepostet.',
    signedOut: 'Sie sind abgemeldet.',
    posted: 'Ihr Kommentar ist gepostet.',
    stopped: 'Angehalten.',
    signInTimedOut: 'Die Anmeldung wurde nicht rechtzeitig abgeschlossen. Bitte melden Sie sich noch einmal an.',
    discarded: 'Ihr Entwurf wurde gelöscht.',
  },
  serverNotices: {
    declined: 'Der Zugriff wurde nicht erlaubt, deshalb sind Sie nicht angemeldet.',
    rejected: 'Diese Website hat die Anmeldung nicht angenommen.',
    'already-granted': 'Sie haben den Zugriff bereits erlaubt, deshalb hat der Kommentardienst keine neue Anmeldung gesendet. Widerrufen Sie dort in Ihrem Konto den Zugriff dieser Website und melden Sie sich dann noch einmal an.',
  },
  alert: {
    empty: 'Schreiben Sie zuerst etwas.',
    notPosted: 'Ihr Kommentar wurde nicht gepostet. {reason}',
    offline: 'Sie sind offline.',
    unconfirmed: '{reason} Bitte sehen Sie nach, ob er schon da ist, bevor Sie ihn noch einmal posten.',
    serviceSays: 'Er meldet: {words}',
    invalidCallback: 'Dieser Anmeldelink ist unvollständig. Bitte melden Sie sich noch einmal an.',
    formNotLoaded: 'Das Anmeldeformular konnte nicht geladen werden. Bitte versuchen Sie es noch einmal.',
    cookieBlocked: 'Sie haben sich angemeldet, aber Ihr Browser lässt diese Seite die Anmeldung nicht verwenden. Sie können stattdessen auf einer eigenen Seite kommentieren.',
  },
  choice: {
    iCanSeeIt: 'Kommentar ist sichtbar',
    postAgain: 'Noch einmal posten',
  },
  signIn: {
    about: 'Sie melden sich gleich als {name} an.',
    continueAs: 'Weiter als {name}',
    notYou: 'Nicht Ihr Konto?',
    unfinished: 'Ihre Anmeldung als {name} ist noch nicht abgeschlossen.',
    goOn: 'Anmeldung fortsetzen',
    cancel: 'Abbrechen',
    blocked: 'Ihr Browser hat das Anmeldefenster blockiert.',
    continueHere: 'Auf dieser Seite fortfahren',
    stay: 'Hierbleiben',
  },
  signOut: {
    about: 'Beim Abmelden wird Ihr nicht geposteter Text aus diesem Browser gelöscht.',
    confirm: 'Abmelden',
    stay: 'Angemeldet bleiben',
  },
  draft: {
    kept: 'Ihr Text bleibt auf diesem Gerät gespeichert.',
    notKept: 'Dieser Browser kann Ihren Text nicht speichern. Kopieren Sie ihn, bevor Sie diese Seite verlassen.',
    discard: 'Entwurf löschen',
    second: 'Es gibt einen weiteren nicht geposteten Text von Ihnen für diese Seite:',
    insert: 'Einfügen',
    remove: 'Löschen',
  },
  counter: {
    left: { one: 'Noch {count} Zeichen', other: 'Noch {count} Zeichen' },
    over: { one: '{count} Zeichen zu viel', other: '{count} Zeichen zu viel' },
    near: 'Sie nähern sich der Zeichengrenze.',
    tooLong: 'Ihr Kommentar ist zu lang.',
  },
  posts: {
    heading: 'Ihre letzten Kommentare',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'Der Kommentardienst hat die Anfrage nicht verstanden. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'untrusted-completion-uri': 'Dieser Anmeldelink führt nicht zum Kommentardienst zurück und wurde deshalb nicht verwendet. Bitte melden Sie sich noch einmal an.',
  'untrusted-return-uri': 'Auf dieser Seite ist die Anmeldung nicht erlaubt. Bitte wenden Sie sich an die Website.',
  'not-signed-in': 'Sie sind nicht mehr angemeldet. Bitte melden Sie sich noch einmal an.',
  'cross-site-request': 'Diese Seite darf nicht auf den Kommentardienst zugreifen. Bitte wenden Sie sich an die Website.',
  'forum-not-allowed': 'Für diese Seite sind Kommentare nicht eingerichtet. Bitte wenden Sie sich an die Website.',
  'user-mismatch': 'Der Kommentardienst hat ein anderes Konto bestätigt. Bitte melden Sie sich noch einmal an.',
  'not-found': 'Der Kommentardienst wurde nicht gefunden. Bitte wenden Sie sich an die Website.',
  'method-not-allowed': 'Der Kommentardienst hat die Anfrage nicht angenommen. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'not-acceptable': 'Der Kommentardienst konnte diesem Browser nicht antworten. Bitte wenden Sie sich an die Website.',
  'no-sync-in-progress': 'Diese Anmeldung ist beendet oder hat zu lange gedauert. Bitte melden Sie sich noch einmal an.',
  'code-already-used': 'Diese Anmeldung wurde schon verwendet. Bitte melden Sie sich noch einmal an.',
  'user-changed': 'Ihr Konto hat einen anderen Namen als den, der Ihnen angezeigt wurde. Bitte prüfen Sie den Namen und fahren Sie fort.',
  'post-in-progress': 'Dieser Kommentar wird gerade gepostet.',
  'idempotency-key-reused': 'Eine frühere Fassung dieses Kommentars ist vielleicht schon gepostet.',
  'message-too-long': 'Dieser Kommentar ist zu lang.',
  'post-rejected': 'Diese Website hat diesen Kommentar nicht angenommen.',
  'payload-too-large': 'Dieser Kommentar ist zu lang.',
  'unsupported-media-type': 'Der Kommentardienst hat die Anfrage nicht angenommen. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'invalid-answers': 'Bitte sehen Sie Ihre Antworten noch einmal durch.',
  'too-many-requests': 'Zu viele Versuche. Bitte warten Sie einen Moment und versuchen Sie es noch einmal.',
  'service-refused': 'Der Kommentardienst hat dies abgelehnt.',
  'bad-service-response': 'Die Antwort des Kommentardienstes war ungültig. Bitte versuchen Sie es noch einmal.',
  'service-unavailable': 'Der Kommentardienst ist gerade nicht verfügbar.',
  'outcome-unknown': 'Es ist nicht sicher, ob dieser Kommentar gepostet wurde.',
  'internal-error': 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es noch einmal.',
  network: 'Der Kommentardienst war nicht zu erreichen.',
  reference: 'Referenz: {id}',
};

export const fallback: Language['fallback'] = {
  comments: 'Das Kommentarfeld konnte hier nicht geladen werden.',
  openComments: 'Kommentar auf einer eigenen Seite schreiben',
  sync: 'Das Anmeldeformular konnte hier nicht geladen werden.',
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
    notYou: 'Nicht Ihr Konto? Abbrechen',
  },
  questions: {
    heading: 'Bevor Sie kommentieren',
    about: '{site} fragt alle, die kommentieren möchten:',
    signingInAs: 'Anmeldung als {name}',
    optional: '(freiwillig)',
    choose: 'Bitte wählen',
    noAnswer: 'Keine Angabe',
    submit: 'Anmeldung abschließen',
    cancel: 'Abbrechen',
    superseded: 'Eine neuere Anmeldung hat die vorherige ersetzt. Bitte prüfen Sie das Konto und fahren Sie fort.',
  },
  answerErrors: {
    summary: {
      one: 'Bitte sehen Sie sich diese Antwort noch einmal an:',
      other: 'Bitte sehen Sie sich diese {count} Antworten noch einmal an:',
    },
    required: 'Bitte beantworten Sie diese Frage.',
    requiredOption: 'Bitte wählen Sie etwas aus.',
    requiredTick: 'Bitte setzen Sie hier ein Häkchen, um fortzufahren.',
    'not-a-text': 'Darin steht ein Zeichen, das nicht gesendet werden kann.',
    'not-a-number': 'Bitte geben Sie eine Zahl ein.',
    'not-a-date': 'Geben Sie ein gültiges Datum ein.',
    'not-an-email': 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    'not-an-option': 'Bitte wählen Sie eine der Möglichkeiten.',
    numberTooLow: 'Bitte geben Sie {limit} oder mehr ein.',
    numberTooHigh: 'Bitte geben Sie {limit} oder weniger ein.',
    dateTooEarly: 'Bitte geben Sie den {limit} oder einen späteren Tag ein.',
    dateTooLate: 'Bitte geben Sie den {limit} oder einen früheren Tag ein.',
    'too-short': {
      one: 'Bitte geben Sie mindestens {count} Zeichen ein.',
      other: 'Bitte geben Sie mindestens {count} Zeichen ein.',
    },
    'too-long': { one: 'Bitte kürzen Sie dies auf {count} Zeichen.', other: 'Bitte kürzen Sie dies auf {count} Zeichen.' },
    pattern: 'Verwenden Sie das verlangte Format.',
  },
  outcome: {
    onTheWay: 'Sie werden zurückgeleitet …',
    goOn: 'Manuell fortfahren',
    continue: 'Weiter',
    failed: 'Die Anmeldung ist fehlgeschlagen',
    unavailable: 'Die Anmeldung ist gerade nicht möglich',
  },
  endings: {
    declined: {
      heading: 'Der Zugriff wurde nicht erlaubt',
      text: 'Sie sind nicht angemeldet. Sie können sich am Kommentarfeld noch einmal anmelden.',
    },
    rejected: { heading: '{site} hat die Anmeldung nicht angenommen', text: 'Sie sind nicht angemeldet.' },
    'already-granted': {
      heading: 'Sie haben den Zugriff bereits erlaubt',
      text: 'Der Kommentardienst hat keine neue Anmeldung gesendet. Widerrufen Sie dort in Ihrem Konto den Zugriff von {site} und melden Sie sich dann am Kommentarfeld noch einmal an.',
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
  exits: {
    tryAgain: 'Noch einmal versuchen',
    startAgain: 'Noch einmal anmelden',
    close: 'Fenster schließen',
    closeYourself: 'Ihr Browser hat dieses Fenster offen gelassen. Sie können es jetzt schließen.',
    toSite: 'Zu {site}',
    toComments: 'Zurück zu den Kommentaren',
  },
  problems: {
    'payload-too-large': 'Ihre Antworten sind zu lang.',
    'outcome-unknown': 'Es ist nicht sicher, ob die Anmeldung erfolgreich war. Bitte melden Sie sich noch einmal an.',
    'service-refused': 'Der Kommentardienst hat diese Anmeldung nicht angenommen. Bitte melden Sie sich noch einmal an.',
    'bad-service-response': 'Die Antwort des Kommentardienstes war ungültig. Bitte melden Sie sich noch einmal an.',
    'service-unavailable': 'Der Kommentardienst ist gerade nicht verfügbar. Bitte versuchen Sie es gleich noch einmal.',
  },
};

export const thread: Language['thread'] = {
  heading: 'Kommentare der Leserinnen und Leser',
  loading: 'Kommentare werden geladen …',
  empty: 'Noch keine Kommentare.',
  failed: 'Die Kommentare konnten nicht geladen werden.',
  reference: 'Referenz: {id}',
  tryAgain: 'Noch einmal versuchen',
  showMore: 'Weitere Kommentare anzeigen',
  showWhole: 'Ganzen Kommentar anzeigen',
  unlisted: 'Ihr neuer Kommentar',
};
