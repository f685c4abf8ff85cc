/** Español. */

import type { Language } from './language.ts';

export const core: Language['core'] = {
  heading: 'Comentarios',
  message: 'Tu comentario',
  post: 'Publicar comentario',
  notLoaded: 'No se puede publicar en este momento. Tu texto queda guardado en este dispositivo. Recarga la página para volver a intentarlo.',
};

export const engine: Language['engine'] = {
  account: {
    signedInAs: 'Comentas como {name}',
    signOut: 'Cerrar sesión',
    mayWrite: 'Escribe ahora e inicia sesión para publicar.',
  },
  action: {
    signIn: 'Iniciar sesión para publicar',
    posting: 'Publicando…',
    tryAgain: 'Reintentar',
  },
  status: {
    oneMoment: 'Un momento…',
    waiting: 'El inicio de sesión sigue en otra ventana.',
    reopen: 'Volver a abrirla',
    popupBlocked: 'Tu navegador no ha abierto ninguna ventana, así que el inicio de sesión sigue en esta página. Tu texto se conserva.',
    goOnHere: 'Continuar ahora',
    offline: 'No tienes conexión. Tu texto queda guardado en este dispositivo.',
    unavailable: 'No se puede iniciar sesión en este momento. Sigue escribiendo: tu texto se conserva y lo seguimos intentando.',
    posting: 'Publicando…',
    retrying: {
      one: 'Aún no se ha publicado. Nuevo intento en {count} segundo.',
      many: 'Aún no se ha publicado. Nuevo intento en {count} de segundos.',
      other: 'Aún no se ha publicado. Nuevo intento en {count} segundos.',
    },
    stop: 'Dejar de intentarlo',
  },
  notes: {
    signInFirst: 'Inicia sesión para publicar. Tu texto se conserva.',
    signedIn: 'Has iniciado sesión como {name}.',
    notPostedYet: 'Has iniciado sesión como {name}. Tu comentario aún no se ha publicado.',
    signedOut: 'Has cerrado sesión.',
    posted: 'Tu comentario se ha publicado.',
    stopped: 'Detenido. Tu texto se conserva.',
  },
  notices: {
    declined: 'No has dado acceso, así que no has iniciado sesión.',
    rejected: 'Este sitio no ha aceptado el inicio de sesión.',
    'already-granted': 'Ya habías dado acceso antes. Si sigues sin haber iniciado sesión, iníciala una vez más.',
  },
  alert: {
    empty: 'Escribe algo primero.',
    notPosted: 'Tu comentario no se ha publicado. {reason} Tu texto se conserva.',
    offline: 'No tienes conexión.',
    unsure: '{reason} Comprueba si ya aparece antes de volver a publicarlo.',
    serviceSays: 'Ha respondido: {words}',
    invalidReturn: 'Este enlace de inicio de sesión está incompleto. Vuelve a iniciar sesión.',
    formNotLoaded: 'No se ha podido cargar el formulario de inicio de sesión. Vuelve a intentarlo.',
  },
  choice: {
    iCanSeeIt: 'Ya lo veo',
    postAgain: 'Publicar de nuevo',
  },
  signIn: {
    about: 'Vas a iniciar sesión como {name}.',
    continueAs: 'Continuar como {name}',
    notYou: '¿No eres tú?',
    unfinished: 'Aún no has terminado de iniciar sesión como {name}.',
    goOn: 'Seguir iniciando sesión',
    cancel: 'Cancelar',
  },
  counter: {
    left: { one: 'Queda {count} carácter', many: 'Quedan {count} de caracteres', other: 'Quedan {count} caracteres' },
    over: { one: 'Sobra {count} carácter', many: 'Sobran {count} de caracteres', other: 'Sobran {count} caracteres' },
    near: 'Tu comentario se acerca a la longitud máxima.',
    tooLong: 'Tu comentario es demasiado largo.',
  },
  posts: {
    heading: 'Recién publicado',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'El servicio de comentarios no ha entendido esta petición. Recarga la página y vuelve a intentarlo.',
  'untrusted-completion-uri': 'Este enlace de inicio de sesión no lleva de vuelta al servicio de comentarios, así que no se ha usado. Vuelve a iniciar sesión.',
  'untrusted-return-uri': 'No se permite iniciar sesión desde esta página. Avisa al sitio, por favor.',
  'not-signed-in': 'Tu sesión ha terminado. Vuelve a iniciar sesión.',
  'cross-site-request': 'Esta página no tiene permiso para usar el servicio de comentarios. Avisa al sitio, por favor.',
  'forum-not-allowed': 'Los comentarios no están configurados para esta página. Avisa al sitio, por favor.',
  'user-mismatch': 'El servicio de comentarios ha confirmado otra cuenta. Vuelve a iniciar sesión.',
  'not-found': 'No se ha encontrado el servicio de comentarios. Avisa al sitio, por favor.',
  'method-not-allowed': 'El servicio de comentarios no ha admitido esta petición. Recarga la página y vuelve a intentarlo.',
  'not-acceptable': 'El servicio de comentarios no ha podido responder a este navegador. Avisa al sitio, por favor.',
  'no-sync-in-progress': 'Este inicio de sesión ha terminado o ha tardado demasiado. Vuelve a iniciar sesión.',
  'code-already-used': 'Este inicio de sesión ya se había usado. Vuelve a iniciar sesión.',
  'post-in-progress': 'Este comentario se está publicando todavía.',
  'idempotency-key-reused': 'Puede que ya se haya publicado una versión anterior de este comentario.',
  'message-too-long': 'Este comentario es demasiado largo.',
  'payload-too-large': 'Este comentario es demasiado largo.',
  'unsupported-media-type': 'El servicio de comentarios no ha admitido esta petición. Recarga la página y vuelve a intentarlo.',
  'invalid-answers': 'Revisa tus respuestas, por favor.',
  'too-many-requests': 'Eso ha sido mucho de una vez. Espera un momento y vuelve a intentarlo.',
  'service-refused': 'El servicio de comentarios lo ha rechazado.',
  'bad-service-response': 'El servicio de comentarios ha dado una respuesta que no se puede usar. Vuelve a intentarlo.',
  'service-unavailable': 'El servicio de comentarios no está disponible en este momento.',
  'outcome-unknown': 'No es seguro que este comentario se haya publicado.',
  'internal-error': 'Algo ha fallado por nuestra parte. Vuelve a intentarlo.',
  network: 'No se ha podido contactar con el servicio de comentarios.',
};

export const notice: Language['notice'] = {
  comments: 'La configuración de seguridad de esta página impide mostrar el cuadro de comentarios.',
  openComments: 'Escribir un comentario en una página aparte',
  sync: 'La configuración de seguridad de esta página impide mostrar el formulario.',
  openSync: 'Seguir iniciando sesión en una página aparte',
};

export const sync: Language['sync'] = {
  wait: {
    asking: 'Un momento…',
    starting: 'Iniciando sesión…',
    sending: 'Comprobando tus respuestas…',
    cancelling: 'Cancelando…',
    slow: 'Está tardando más de lo normal. No salgas de esta página.',
  },
  confirm: {
    heading: 'Inicia sesión para comentar',
    about: 'Vas a iniciar sesión con esta cuenta:',
    continueAs: 'Continuar como {name}',
    notYou: '¿No eres tú? Cancelar',
    nothingSent: 'No se inicia ninguna sesión hasta que continúes.',
  },
  questions: {
    heading: 'Antes de comentar',
    about: 'Este sitio pregunta a todas las personas que quieren comentar:',
    signingInAs: 'Inicio de sesión como {name}',
    requiredMark: '* respuesta obligatoria',
    optional: '(opcional)',
    choose: 'Elige una opción',
    noAnswer: 'Sin respuesta',
    submit: 'Terminar de iniciar sesión',
    cancel: 'Cancelar',
  },
  faults: {
    summary: {
      one: 'Revisa esta respuesta:',
      many: 'Revisa estas {count} de respuestas:',
      other: 'Revisa estas {count} respuestas:',
    },
    required: 'Responde a esta pregunta.',
    requiredOption: 'Elige una opción.',
    requiredTick: 'Marca esta casilla para continuar.',
    'not-a-text': 'Contiene un carácter que no se puede enviar.',
    'not-a-number': 'Escribe un número.',
    'not-a-date': 'Escribe una fecha completa que exista.',
    'not-an-email': 'Escribe una dirección de correo, como nombre@example.com.',
    'not-an-option': 'Elige una de las opciones.',
    numberTooLow: 'Escribe {limit} o más.',
    numberTooHigh: 'Escribe {limit} o menos.',
    dateTooEarly: 'Escribe el {limit} o una fecha posterior.',
    dateTooLate: 'Escribe el {limit} o una fecha anterior.',
    'too-short': {
      one: 'Escribe al menos {count} carácter.',
      many: 'Escribe al menos {count} de caracteres.',
      other: 'Escribe al menos {count} caracteres.',
    },
    'too-long': {
      one: 'Acórtalo a {count} carácter.',
      many: 'Acórtalo a {count} de caracteres.',
      other: 'Acórtalo a {count} caracteres.',
    },
    pattern: 'No tiene el formato que se pide.',
  },
  outcome: {
    accepted: 'Has iniciado sesión',
    cancelled: 'Inicio de sesión cancelado',
    onTheWay: 'Volviendo…',
    goOn: 'Continuar si no ocurre nada',
    rejected: 'Este sitio no ha aceptado el inicio de sesión',
    noReason: 'El sitio no ha dado ningún motivo.',
    continue: 'Continuar',
    failed: 'No se ha podido iniciar sesión',
    unavailable: 'No se puede iniciar sesión en este momento',
  },
  endings: {
    declined: {
      heading: 'No has dado acceso',
      text: 'No has iniciado sesión. Si cambias de idea, vuelve a iniciar sesión desde el cuadro de comentarios.',
    },
    rejected: { heading: 'Este sitio no ha aceptado el inicio de sesión', text: 'No has iniciado sesión.' },
    'already-granted': {
      heading: 'Ya habías dado acceso antes',
      text: 'Aquí no queda nada por hacer. Si el cuadro de comentarios te lo sigue pidiendo, inicia sesión una vez más.',
    },
    cancelled: { heading: 'Inicio de sesión cancelado', text: 'No has iniciado sesión.' },
    'signed-in': { heading: 'Has iniciado sesión', text: 'Puedes volver y publicar tu comentario.' },
    'nothing-to-do': {
      heading: 'Aquí no hay nada que hacer',
      text: 'En esta ventana no se está iniciando ninguna sesión. Vuelve al artículo e inicia sesión desde su cuadro de comentarios.',
    },
    'invalid-return': {
      heading: 'Este enlace de inicio de sesión está incompleto',
      text: 'Falta una parte. Vuelve al artículo e inicia sesión de nuevo desde su cuadro de comentarios.',
    },
  },
  way: {
    tryAgain: 'Reintentar',
    startAgain: 'Volver a iniciar sesión',
    close: 'Cerrar esta ventana',
    closeYourself: 'Tu navegador ha dejado abierta esta ventana. Ya puedes cerrarla.',
    toSite: 'Ir a {site}',
    toComments: 'Volver a los comentarios',
  },
  problems: {
    'payload-too-large': 'Tus respuestas son demasiado largas.',
    'outcome-unknown': 'No es seguro que hayas iniciado sesión. Vuelve a iniciar sesión.',
    'service-refused': 'El servicio de comentarios no ha aceptado este inicio de sesión. Vuelve a iniciar sesión.',
    'bad-service-response': 'El servicio de comentarios ha dado una respuesta que no se puede usar. Vuelve a iniciar sesión.',
    'service-unavailable': 'El servicio de comentarios no está disponible en este momento. Vuelve a intentarlo enseguida.',
  },
};
