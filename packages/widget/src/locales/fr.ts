/** Français. */

import type { Language } from './language.ts';

export const core: Language['core'] = {
  heading: 'Commentaires',
  message: 'Votre commentaire',
  post: 'Publier le commentaire',
  signIn: 'Se connecter pour publier',
  notLoaded: 'Impossible de publier pour le moment. Veuillez réessayer.',
};

export const comments: Language['comments'] = {
  account: {
    signedInAs: 'Vous commentez en tant que {name}',
    signOut: 'Se déconnecter',
    mayWrite: 'Écrivez dès maintenant, connectez-vous pour publier.',
  },
  action: {
    posting: 'Publication…',
    tryAgain: 'Réessayer',
  },
  status: {
    oneMoment: 'Un instant…',
    waiting: 'Terminez la connexion dans l’autre fenêtre.',
    reopen: 'La rouvrir',
    offline: 'Vous êtes hors ligne.',
    unavailable: 'Impossible de se connecter pour le moment. Nouvel essai…',
    posting: 'Publication…',
    retrying: {
      one: 'Pas encore publié. Nouvel essai dans {count} seconde.',
      other: 'Pas encore publié. Nouvel essai dans {count} secondes.',
    },
    stop: 'Ne plus réessayer',
  },
  messages: {
    signInFirst: 'Connectez-vous pour publier.',
    signedIn: 'Vous êtes connecté en tant que {name}.',
    notPostedYet: 'Vous êtes connecté en tant que {name}. Votre commentaire n’est pas encore publié.',
    signedOut: 'Vous êtes déconnecté.',
    posted: 'Votre commentaire est publié.',
    stopped: 'Arrêté.',
    signInTimedOut: 'La connexion n’a pas été terminée à temps. Veuillez vous reconnecter.',
    discarded: 'Votre brouillon a été supprimé.',
  },
  serverNotices: {
    declined: 'L’accès n’a pas été autorisé : vous n’êtes donc pas connecté.',
    rejected: 'Ce site n’a pas accepté la connexion.',
    'already-granted': 'Vous avez déjà autorisé l’accès : le service de commentaires n’a donc pas envoyé de nouvelle connexion. Retirez l’accès de ce site dans votre compte sur ce service, puis reconnectez-vous.',
  },
  alert: {
    empty: 'Écrivez d’abord quelque chose.',
    notPosted: 'Votre commentaire n’a pas été publié. {reason}',
    offline: 'Vous êtes hors ligne.',
    unconfirmed: '{reason} Vérifiez s’il apparaît avant de le publier de nouveau.',
    serviceSays: 'Sa réponse : {words}',
    invalidCallback: 'Ce lien de connexion est incomplet. Veuillez vous reconnecter.',
    formNotLoaded: 'Le formulaire de connexion n’a pas pu être chargé. Veuillez réessayer.',
    cookieBlocked: 'Vous vous êtes connecté, mais votre navigateur ne laisse pas cette page utiliser la connexion. Vous pouvez commenter sur une page à part.',
  },
  choice: {
    iCanSeeIt: 'Je le vois',
    postAgain: 'Publier de nouveau',
  },
  signIn: {
    about: 'Vous allez vous connecter en tant que {name}.',
    continueAs: 'Continuer en tant que {name}',
    notYou: 'Ce n’est pas vous ?',
    unfinished: 'Votre connexion en tant que {name} n’est pas terminée.',
    goOn: 'Poursuivre la connexion',
    cancel: 'Annuler',
    blocked: 'Votre navigateur a bloqué la fenêtre de connexion.',
    continueHere: 'Continuer sur cette page',
    stay: 'Rester ici',
  },
  signOut: {
    about: 'La déconnexion supprime de ce navigateur votre texte non publié.',
    confirm: 'Se déconnecter',
    stay: 'Rester connecté',
  },
  draft: {
    kept: 'Votre texte est conservé sur cet appareil.',
    notKept: 'Ce navigateur ne peut pas conserver votre texte. Copiez-le avant de quitter cette page.',
    discard: 'Supprimer le brouillon',
    second: 'Il existe un autre texte non publié de votre part pour cette page :',
    insert: 'L’insérer',
    remove: 'Le supprimer',
  },
  counter: {
    left: { one: '{count} caractère restant', other: '{count} caractères restants' },
    over: { one: '{count} caractère en trop', other: '{count} caractères en trop' },
    near: 'Vous approchez de la limite de caractères.',
    tooLong: 'Votre commentaire est trop long.',
  },
  posts: {
    heading: 'Vos commentaires récents',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'Le service de commentaires n’a pas compris cette requête. Rechargez la page et réessayez.',
  'untrusted-completion-uri': 'Ce lien de connexion ne ramène pas au service de commentaires : il n’a pas été utilisé. Veuillez vous reconnecter.',
  'untrusted-return-uri': 'Cette page n’est pas autorisée pour la connexion. Veuillez contacter le site.',
  'not-signed-in': 'Vous n’êtes plus connecté. Veuillez vous reconnecter.',
  'cross-site-request': 'Cette page n’est pas autorisée à contacter le service de commentaires. Veuillez contacter le site.',
  'forum-not-allowed': 'Les commentaires ne sont pas configurés pour cette page. Veuillez contacter le site.',
  'user-mismatch': 'Le service de commentaires a confirmé un autre compte. Veuillez vous reconnecter.',
  'not-found': 'Le service de commentaires est introuvable. Veuillez contacter le site.',
  'method-not-allowed': 'Le service de commentaires n’a pas accepté cette requête. Rechargez la page et réessayez.',
  'not-acceptable': 'Le service de commentaires n’a pas pu répondre à ce navigateur. Veuillez contacter le site.',
  'no-sync-in-progress': 'Cette connexion est terminée ou a pris trop de temps. Veuillez vous reconnecter.',
  'code-already-used': 'Cette connexion a déjà servi. Veuillez vous reconnecter.',
  'user-changed': 'Le nom de votre compte n’est pas celui qui vous a été présenté. Vérifiez le nom, puis continuez.',
  'post-in-progress': 'Ce commentaire est en cours de publication.',
  'idempotency-key-reused': 'Une version antérieure de ce commentaire a peut-être déjà été publiée.',
  'message-too-long': 'Ce commentaire est trop long.',
  'post-rejected': 'Ce site n’a pas accepté ce commentaire.',
  'payload-too-large': 'Ce commentaire est trop long.',
  'unsupported-media-type': 'Le service de commentaires n’a pas accepté cette requête. Rechargez la page et réessayez.',
  'invalid-answers': 'Veuillez revoir vos réponses.',
  'too-many-requests': 'Trop de tentatives. Patientez un instant, puis réessayez.',
  'service-refused': 'Le service de commentaires a refusé cette demande.',
  'bad-service-response': 'Le service de commentaires a donné une réponse non valide. Veuillez réessayer.',
  'service-unavailable': 'Le service de commentaires n’est pas disponible pour le moment.',
  'outcome-unknown': 'Il n’est pas certain que ce commentaire ait été publié.',
  'internal-error': 'Une erreur s’est produite de notre côté. Veuillez réessayer.',
  network: 'Le service de commentaires est injoignable.',
  reference: 'Référence : {id}',
};

export const fallback: Language['fallback'] = {
  comments: 'L’espace de commentaires n’a pas pu être chargé ici.',
  openComments: 'Écrire un commentaire sur une page à part',
  sync: 'Le formulaire de connexion n’a pas pu être chargé ici.',
  openSync: 'Poursuivre la connexion sur une page à part',
};

export const sync: Language['sync'] = {
  wait: {
    asking: 'Un instant…',
    starting: 'Connexion…',
    sending: 'Vérification de vos réponses…',
    cancelling: 'Annulation…',
    slow: 'C’est plus long que d’habitude. Restez sur cette page.',
  },
  confirm: {
    heading: 'Se connecter pour commenter',
    about: 'Vous allez vous connecter avec ce compte :',
    continueAs: 'Continuer en tant que {name}',
    notYou: 'Ce n’est pas vous ? Annuler',
  },
  questions: {
    heading: 'Avant de commenter',
    about: '{site} demande à toute personne qui souhaite commenter :',
    signingInAs: 'Connexion en tant que {name}',
    optional: '(facultatif)',
    choose: 'Veuillez choisir',
    noAnswer: 'Sans réponse',
    submit: 'Terminer la connexion',
    cancel: 'Annuler',
    superseded: 'Une connexion plus récente a remplacé la précédente. Vérifiez le compte, puis continuez.',
  },
  answerErrors: {
    summary: { one: 'Veuillez revoir cette réponse :', other: 'Veuillez revoir ces {count} réponses :' },
    required: 'Veuillez répondre à cette question.',
    requiredOption: 'Veuillez choisir une réponse.',
    requiredTick: 'Veuillez cocher cette case pour continuer.',
    'not-a-text': 'Cette réponse contient un caractère qui ne peut pas être envoyé.',
    'not-a-number': 'Veuillez saisir un nombre.',
    'not-a-date': 'Veuillez saisir une date valide.',
    'not-an-email': 'Veuillez saisir une adresse e-mail, par exemple nom@example.com.',
    'not-an-option': 'Veuillez choisir l’une des options.',
    numberTooLow: 'Veuillez saisir {limit} ou plus.',
    numberTooHigh: 'Veuillez saisir {limit} ou moins.',
    dateTooEarly: 'Veuillez saisir le {limit} ou une date ultérieure.',
    dateTooLate: 'Veuillez saisir le {limit} ou une date antérieure.',
    'too-short': {
      one: 'Veuillez saisir au moins {count} caractère.',
      other: 'Veuillez saisir au moins {count} caractères.',
    },
    'too-long': {
      one: 'Veuillez raccourcir votre réponse à {count} caractère.',
      other: 'Veuillez raccourcir votre réponse à {count} caractères.',
    },
    pattern: 'Utilisez le format demandé.',
  },
  outcome: {
    onTheWay: 'Retour en cours…',
    goOn: 'Continuer manuellement',
    continue: 'Continuer',
    failed: 'La connexion a échoué',
    unavailable: 'Impossible de se connecter pour le moment',
  },
  endings: {
    declined: {
      heading: 'L’accès n’a pas été autorisé',
      text: 'Vous n’êtes pas connecté. Vous pouvez vous connecter de nouveau depuis l’espace de commentaires.',
    },
    rejected: { heading: '{site} n’a pas accepté la connexion', text: 'Vous n’êtes pas connecté.' },
    'already-granted': {
      heading: 'Vous avez déjà autorisé l’accès',
      text: 'Le service de commentaires n’a pas envoyé de nouvelle connexion. Retirez l’accès du site {site} dans votre compte sur ce service, puis reconnectez-vous depuis l’espace de commentaires.',
    },
    cancelled: { heading: 'Connexion annulée', text: 'Vous n’êtes pas connecté.' },
    'signed-in': { heading: 'Vous êtes connecté', text: 'Vous pouvez revenir en arrière et publier votre commentaire.' },
    'nothing-to-do': {
      heading: 'Rien à faire ici',
      text: 'Aucune connexion n’est en cours dans cette fenêtre. Revenez à l’article et connectez-vous depuis l’espace de commentaires.',
    },
    'invalid-return': {
      heading: 'Ce lien de connexion est incomplet',
      text: 'Il en manque une partie. Revenez à l’article et reconnectez-vous depuis l’espace de commentaires.',
    },
  },
  exits: {
    tryAgain: 'Réessayer',
    startAgain: 'Se reconnecter',
    close: 'Fermer cette fenêtre',
    closeYourself: 'Votre navigateur a laissé cette fenêtre ouverte. Vous pouvez la fermer maintenant.',
    toSite: 'Aller sur {site}',
    toComments: 'Retour aux commentaires',
  },
  problems: {
    'payload-too-large': 'Vos réponses sont trop longues.',
    'outcome-unknown': 'Il n’est pas certain que la connexion ait fonctionné. Veuillez vous reconnecter.',
    'service-refused': 'Le service de commentaires n’a pas accepté cette connexion. Veuillez vous reconnecter.',
    'bad-service-response': 'Le service de commentaires a donné une réponse non valide. Veuillez vous reconnecter.',
    'service-unavailable': 'Le service de commentaires n’est pas disponible pour le moment. Veuillez réessayer dans un instant.',
  },
};

export const thread: Language['thread'] = {
  heading: 'Commentaires des lecteurs',
  loading: 'Chargement des commentaires…',
  empty: 'Aucun commentaire pour le moment.',
  failed: 'Les commentaires n’ont pas pu être chargés.',
  reference: 'Référence : {id}',
  tryAgain: 'Réessayer',
  showMore: 'Afficher plus de commentaires',
  showWhole: 'Afficher tout le commentaire',
  unlisted: 'Votre nouveau commentaire',
};
