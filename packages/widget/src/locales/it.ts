/** Italiano. */

import type { Language } from './language.ts';

export const core: Language['core'] = {
  heading: 'Commenti',
  message: 'Il tuo commento',
  post: 'Pubblica il commento',
  notLoaded: 'Al momento non è possibile pubblicare. Il testo resta salvato su questo dispositivo. Ricarica la pagina per riprovare.',
};

export const engine: Language['engine'] = {
  account: {
    signedInAs: 'Commenti come {name}',
    signOut: 'Esci',
    mayWrite: 'Scrivi subito, accedi per pubblicare.',
  },
  action: {
    signIn: 'Accedi per pubblicare',
    posting: 'Pubblicazione…',
    tryAgain: 'Riprova',
  },
  status: {
    oneMoment: 'Un momento…',
    waiting: 'L’accesso prosegue in un’altra finestra.',
    reopen: 'Riaprila',
    popupBlocked: 'Il browser non ha aperto nessuna finestra, quindi l’accesso prosegue in questa pagina. Il testo resta salvato.',
    goOnHere: 'Continua ora',
    offline: 'Sei offline. Il testo resta salvato su questo dispositivo.',
    unavailable: 'Al momento non è possibile accedere. Continua pure a scrivere: il testo resta salvato e noi continuiamo a provare.',
    posting: 'Pubblicazione…',
    retrying: {
      one: 'Non ancora pubblicato. Nuovo tentativo tra {count} secondo.',
      many: 'Non ancora pubblicato. Nuovo tentativo tra {count} di secondi.',
      other: 'Non ancora pubblicato. Nuovo tentativo tra {count} secondi.',
    },
    stop: 'Non riprovare più',
  },
  notes: {
    signInFirst: 'Accedi per pubblicare. Il testo resta salvato.',
    signedIn: 'Hai effettuato l’accesso come {name}.',
    notPostedYet: 'Hai effettuato l’accesso come {name}. Il tuo commento non è ancora pubblicato.',
    signedOut: 'Hai effettuato l’uscita.',
    posted: 'Il tuo commento è pubblicato.',
    stopped: 'Interrotto. Il testo resta salvato.',
  },
  notices: {
    declined: 'Non hai dato il consenso, quindi non hai effettuato l’accesso.',
    rejected: 'Questo sito non ha accettato l’accesso.',
    'already-granted': 'Avevi già dato il consenso. Se l’accesso ancora non risulta, accedi un’altra volta.',
  },
  alert: {
    empty: 'Prima scrivi qualcosa.',
    notPosted: 'Il tuo commento non è stato pubblicato. {reason} Il testo resta salvato.',
    offline: 'Sei offline.',
    unsure: '{reason} Controlla se c’è già prima di pubblicarlo di nuovo.',
    serviceSays: 'Risponde: {words}',
    invalidReturn: 'Questo link di accesso è incompleto. Accedi di nuovo.',
    formNotLoaded: 'Non è stato possibile caricare il modulo di accesso. Riprova.',
  },
  choice: {
    iCanSeeIt: 'Lo vedo',
    postAgain: 'Pubblica di nuovo',
  },
  signIn: {
    about: 'Stai per accedere come {name}.',
    continueAs: 'Continua come {name}',
    notYou: 'Non sei tu?',
    unfinished: 'Il tuo accesso come {name} non è ancora completo.',
    goOn: 'Continua l’accesso',
    cancel: 'Annulla',
  },
  counter: {
    left: { one: '{count} carattere rimasto', many: '{count} di caratteri rimasti', other: '{count} caratteri rimasti' },
    over: {
      one: '{count} carattere di troppo',
      many: '{count} di caratteri di troppo',
      other: '{count} caratteri di troppo',
    },
    near: 'Il tuo commento è vicino alla lunghezza massima.',
    tooLong: 'Il tuo commento è troppo lungo.',
  },
  posts: {
    heading: 'Appena pubblicati',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'Il servizio di commenti non ha capito questa richiesta. Ricarica la pagina e riprova.',
  'untrusted-completion-uri': 'Questo link di accesso non riporta al servizio di commenti, quindi non è stato usato. Accedi di nuovo.',
  'untrusted-return-uri': 'Da questa pagina non è consentito accedere. Segnalalo al sito.',
  'not-signed-in': 'Non risulti più connesso. Accedi di nuovo.',
  'cross-site-request': 'Questa pagina non può usare il servizio di commenti. Segnalalo al sito.',
  'forum-not-allowed': 'I commenti non sono configurati per questa pagina. Segnalalo al sito.',
  'user-mismatch': 'Il servizio di commenti ha confermato un altro account. Accedi di nuovo.',
  'not-found': 'Il servizio di commenti non è stato trovato. Segnalalo al sito.',
  'method-not-allowed': 'Il servizio di commenti non ha accettato questa richiesta. Ricarica la pagina e riprova.',
  'not-acceptable': 'Il servizio di commenti non ha potuto rispondere a questo browser. Segnalalo al sito.',
  'no-sync-in-progress': 'Questo accesso è terminato o ha richiesto troppo tempo. Accedi di nuovo.',
  'code-already-used': 'Questo accesso era già stato usato. Accedi di nuovo.',
  'user-changed': 'Il nome del tuo account non è quello che ti è stato mostrato. Controlla il nome e continua.',
  'post-in-progress': 'Questo commento è ancora in corso di pubblicazione.',
  'idempotency-key-reused': 'Una versione precedente di questo commento potrebbe essere già pubblicata.',
  'message-too-long': 'Questo commento è troppo lungo.',
  'post-rejected': 'Questo sito non ha accettato questo commento.',
  'payload-too-large': 'Questo commento è troppo lungo.',
  'unsupported-media-type': 'Il servizio di commenti non ha accettato questa richiesta. Ricarica la pagina e riprova.',
  'invalid-answers': 'Ricontrolla le tue risposte.',
  'too-many-requests': 'Troppe richieste in una volta. Attendi un momento e riprova.',
  'service-refused': 'Il servizio di commenti ha rifiutato.',
  'bad-service-response': 'Il servizio di commenti ha dato una risposta inutilizzabile. Riprova.',
  'service-unavailable': 'Il servizio di commenti al momento non è disponibile.',
  'outcome-unknown': 'Non è certo che questo commento sia stato pubblicato.',
  'internal-error': 'Qualcosa è andato storto da parte nostra. Riprova.',
  network: 'Non è stato possibile raggiungere il servizio di commenti.',
};

export const notice: Language['notice'] = {
  comments: 'Le impostazioni di sicurezza di questa pagina impediscono di mostrare la casella dei commenti.',
  openComments: 'Scrivi un commento in una pagina a parte',
  sync: 'Le impostazioni di sicurezza di questa pagina impediscono di mostrare il modulo.',
  openSync: 'Continua l’accesso in una pagina a parte',
};

export const sync: Language['sync'] = {
  wait: {
    asking: 'Un momento…',
    starting: 'Accesso in corso…',
    sending: 'Verifica delle risposte…',
    cancelling: 'Annullamento…',
    slow: 'Ci vuole più tempo del solito. Resta su questa pagina.',
  },
  confirm: {
    heading: 'Accedi per commentare',
    about: 'Stai per accedere con questo account:',
    continueAs: 'Continua come {name}',
    notYou: 'Non sei tu? Annulla',
    nothingSent: 'Nessun accesso avviene finché non continui.',
  },
  questions: {
    heading: 'Prima di commentare',
    about: 'Questo sito chiede a chiunque voglia commentare:',
    signingInAs: 'Accesso come {name}',
    requiredMark: '* risposta obbligatoria',
    optional: '(facoltativo)',
    choose: 'Scegli',
    noAnswer: 'Nessuna risposta',
    submit: 'Completa l’accesso',
    cancel: 'Annulla',
    superseded: 'Un accesso più recente ha sostituito il precedente. Controlla l’account e continua.',
  },
  faults: {
    summary: {
      one: 'Ricontrolla questa risposta:',
      many: 'Ricontrolla queste {count} di risposte:',
      other: 'Ricontrolla queste {count} risposte:',
    },
    required: 'Rispondi a questa domanda.',
    requiredOption: 'Scegli un’opzione.',
    requiredTick: 'Spunta questa casella per continuare.',
    'not-a-text': 'Contiene un carattere che non può essere inviato.',
    'not-a-number': 'Inserisci un numero.',
    'not-a-date': 'Inserisci una data completa ed esistente.',
    'not-an-email': 'Inserisci un indirizzo e-mail, ad esempio nome@example.com.',
    'not-an-option': 'Scegli una delle opzioni.',
    numberTooLow: 'Inserisci {limit} o più.',
    numberTooHigh: 'Inserisci {limit} o meno.',
    dateTooEarly: 'Inserisci una data non precedente al {limit}.',
    dateTooLate: 'Inserisci una data non successiva al {limit}.',
    'too-short': {
      one: 'Inserisci almeno {count} carattere.',
      many: 'Inserisci almeno {count} di caratteri.',
      other: 'Inserisci almeno {count} caratteri.',
    },
    'too-long': {
      one: 'Accorcia a {count} carattere.',
      many: 'Accorcia a {count} di caratteri.',
      other: 'Accorcia a {count} caratteri.',
    },
    pattern: 'Non è nella forma richiesta.',
  },
  outcome: {
    accepted: 'Accesso effettuato',
    cancelled: 'Accesso annullato',
    onTheWay: 'Ritorno in corso…',
    goOn: 'Continua se non succede nulla',
    rejected: 'Questo sito non ha accettato l’accesso',
    noReason: 'Il sito non ha indicato un motivo.',
    continue: 'Continua',
    failed: 'L’accesso non è riuscito',
    unavailable: 'Al momento non è possibile accedere',
  },
  endings: {
    declined: {
      heading: 'Non hai dato il consenso',
      text: 'Non hai effettuato l’accesso. Se cambi idea, accedi di nuovo dalla casella dei commenti.',
    },
    rejected: { heading: 'Questo sito non ha accettato l’accesso', text: 'Non hai effettuato l’accesso.' },
    'already-granted': {
      heading: 'Avevi già dato il consenso',
      text: 'Qui non c’è altro da fare. Se la casella dei commenti lo chiede ancora, accedi un’altra volta.',
    },
    cancelled: { heading: 'Accesso annullato', text: 'Non hai effettuato l’accesso.' },
    'signed-in': { heading: 'Accesso effettuato', text: 'Puoi tornare indietro e pubblicare il tuo commento.' },
    'nothing-to-do': {
      heading: 'Qui non c’è nulla da fare',
      text: 'In questa finestra non è in corso nessun accesso. Torna all’articolo e accedi dalla sua casella dei commenti.',
    },
    'invalid-return': {
      heading: 'Questo link di accesso è incompleto',
      text: 'Ne manca una parte. Torna all’articolo e accedi di nuovo dalla sua casella dei commenti.',
    },
  },
  way: {
    tryAgain: 'Riprova',
    startAgain: 'Accedi di nuovo',
    close: 'Chiudi questa finestra',
    closeYourself: 'Il browser ha lasciato aperta questa finestra. Ora puoi chiuderla.',
    toSite: 'Vai a {site}',
    toComments: 'Torna ai commenti',
  },
  problems: {
    'payload-too-large': 'Le tue risposte sono troppo lunghe.',
    'outcome-unknown': 'Non è certo che l’accesso sia riuscito. Accedi di nuovo.',
    'service-refused': 'Il servizio di commenti non ha accettato questo accesso. Accedi di nuovo.',
    'bad-service-response': 'Il servizio di commenti ha dato una risposta inutilizzabile. Accedi di nuovo.',
    'service-unavailable': 'Il servizio di commenti al momento non è disponibile. Riprova tra poco.',
  },
};
