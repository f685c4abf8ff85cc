/** Français. */

import type { Language } from './language.ts';

export const core: Language['core'] = {
  heading: 'Commentaires',
  message: 'Votre commentaire',
  post: 'Publier le commentaire',
  notLoaded: 'Impossible de publier pour le moment. Votre texte est conservé sur cet appareil. Rechargez la page pour réessayer.',
};

export const engine: Language['engine'] = {
  account: {
    signedInAs: 'Vous commentez en tant que {name}',
    signOut: 'Se déconnecter',
    mayWrite: 'Écrivez dès maintenant, connectez-vous pour publier.',
  },
  action: {
    signIn: 'Se connecter pour publier',
    posting: 'Publication…',
    tryAgain: 'Réessayer',
  },
  status: {
    oneMoment: 'Un instant…',
    waiting: 'La connexion se poursuit dans une autre fenêtre.',
    reopen: 'La rouvrir',
    popupBlocked: 'Votre navigateur n’a pas ouvert de fenêtre : la connexion se poursuit sur cette page. Votre texte est conservé.',
    goOnHere: 'Continuer maintenant',
    offline: 'Vous êtes hors ligne. Votre texte est conservé sur cet appareil.',
    unavailable: 'Impossible de se connecter pour le moment. Continuez d’écrire : votre texte est conservé et nous réessayons.',
    posting: 'Publication…',
    retrying: {
      one: 'Pas encore publié. Nouvel essai dans {count} seconde.',
      many: 'Pas encore publié. Nouvel essai dans {count} de secondes.',
      other: 'Pas encore publié. Nouvel essai dans {count} secondes.',
    },
    stop: 'Ne plus réessayer',
  },
  notes: {
    signInFirst: 'Connectez-vous pour publier. Votre texte est conservé.',
    signedIn: 'Vous êtes connecté en tant que {name}.',
    notPostedYet: 'Vous êtes connecté en tant que {name}. Votre commentaire n’est pas encore publié.',
    signedOut: 'Vous êtes déconnecté.',
    posted: 'Votre commentaire est publié.',
    stopped: 'Arrêté. Votre texte est conservé.',
  },
  notices: {
    declined: 'Vous n’avez pas donné l’accès : vous n’êtes donc pas connecté.',
    rejected: 'Ce site n’a pas accepté la connexion.',
    'already-granted': 'Vous aviez déjà donné l’accès. Si vous n’êtes toujours pas connecté, connectez-vous encore une fois.',
  },
  alert: {
    empty: 'Écrivez d’abord quelque chose.',
    notPosted: 'Votre commentaire n’a pas été publié. {reason} Votre texte est conservé.',
    offline: 'Vous êtes hors ligne.',
    unsure: '{reason} Vérifiez s’il apparaît avant de le publier de nouveau.',
    serviceSays: 'Sa réponse : {words}',
    invalidReturn: 'Ce lien de connexion est incomplet. Veuillez vous reconnecter.',
    formNotLoaded: 'Le formulaire de connexion n’a pas pu être chargé. Veuillez réessayer.',
  },
  choice: {
    iCanSeeIt: 'Je le vois',
    postAgain: 'Publier de nouveau',
  },
  signIn: {
    about: 'Vous allez vous connecter en tant que {name}.',
    continueAs: 'Continuer en tant que {name}',
    notYou: 'Ce n’est pas vous ?',
    unfinished: 'Votre connexion en tant que {name} n’est pas terminée.',
    goOn: 'Poursuivre la connexion',
    cancel: 'Annuler',
  },
  counter: {
    left: { one: '{count} caractère restant', many: '{count} de caractères restants', other: '{count} caractères restants' },
    over: { one: '{count} caractère en trop', many: '{count} de caractères en trop', other: '{count} caractères en trop' },
    near: 'Votre commentaire approche de la longueur maximale.',
    tooLong: 'Votre commentaire est trop long.',
  },
  posts: {
    heading: 'Publié à l’instant',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'Le service de commentaires n’a pas compris cette demande. Rechargez la page et réessayez.',
  'untrusted-completion-uri': 'Ce lien de connexion ne ramène pas au service de commentaires : il n’a pas été utilisé. Veuillez vous reconnecter.',
  'untrusted-return-uri': 'Cette page n’est pas autorisée pour la connexion. Merci de le signaler au site.',
  'not-signed-in': 'Vous n’êtes plus connecté. Veuillez vous reconnecter.',
  'cross-site-request': 'Cette page n’est pas autorisée à contacter le service de commentaires. Merci de le signaler au site.',
  'forum-not-allowed': 'Les commentaires ne sont pas configurés pour cette page. Merci de le signaler au site.',
  'user-mismatch': 'Le service de commentaires a confirmé un autre compte. Veuillez vous reconnecter.',
  'not-found': 'Le service de commentaires est introuvable. Merci de le signaler au site.',
  'method-not-allowed': 'Le service de commentaires n’a pas pris cette demande. Rechargez la page et réessayez.',
  'not-acceptable': 'Le service de commentaires n’a pas pu répondre à ce navigateur. Merci de le signaler au site.',
  'no-sync-in-progress': 'Cette connexion est terminée ou a pris trop de temps. Veuillez vous reconnecter.',
  'code-already-used': 'Cette connexion a déjà servi. Veuillez vous reconnecter.',
  'post-in-progress': 'Ce commentaire est en cours de publication.',
  'idempotency-key-reused': 'Une version antérieure de ce commentaire a peut-être déjà été publiée.',
  'message-too-long': 'Ce commentaire est trop long.',
  'payload-too-large': 'Ce commentaire est trop long.',
  'unsupported-media-type': 'Le service de commentaires n’a pas pris cette demande. Rechargez la page et réessayez.',
  'invalid-answers': 'Veuillez revoir vos réponses.',
  'too-many-requests': 'Cela fait beaucoup à la fois. Patientez un instant, puis réessayez.',
  'service-refused': 'Le service de commentaires a refusé.',
  'bad-service-response': 'Le service de commentaires a donné une réponse inutilisable. Veuillez réessayer.',
  'service-unavailable': 'Le service de commentaires n’est pas disponible pour le moment.',
  'outcome-unknown': 'Il n’est pas certain que ce commentaire ait été publié.',
  'internal-error': 'Une erreur s’est produite de notre côté. Veuillez réessayer.',
  network: 'Le service de commentaires est injoignable.',
};

export const notice: Language['notice'] = {
  comments: 'Les réglages de sécurité de cette page empêchent d’afficher l’espace de commentaires.',
  openComments: 'Écrire un commentaire sur une page à part',
  sync: 'Les réglages de sécurité de cette page empêchent d’afficher le formulaire.',
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
    about: 'Vous allez vous connecter avec ce compte :',
    continueAs: 'Continuer en tant que {name}',
    notYou: 'Ce n’est pas vous ? Annuler',
    nothingSent: 'Personne n’est connecté tant que vous ne continuez pas.',
  },
  questions: {
    heading: 'Avant de commenter',
    about: 'Ce site demande à toute personne qui souhaite commenter :',
    signingInAs: 'Connexion en tant que {name}',
    requiredMark: '* réponse obligatoire',
    optional: '(facultatif)',
    choose: 'Veuillez choisir',
    noAnswer: 'Sans réponse',
    submit: 'Terminer la connexion',
    cancel: 'Annuler',
  },
  faults: {
    summary: {
      one: 'Veuillez revoir cette réponse :',
      many: 'Veuillez revoir ces {count} de réponses :',
      other: 'Veuillez revoir ces {count} réponses :',
    },
    required: 'Veuillez répondre à cette question.',
    requiredOption: 'Veuillez choisir une réponse.',
    requiredTick: 'Veuillez cocher cette case pour continuer.',
    'not-a-text': 'Cette réponse contient un caractère qui ne peut pas être envoyé.',
    'not-a-number': 'Veuillez saisir un nombre.',
    'not-a-date': 'Veuillez saisir une date complète et valable.',
    'not-an-email': 'Veuillez saisir une adresse e-mail, par exemple nom@example.com.',
    'not-an-option': 'Veuillez choisir l’une des options.',
    numberTooLow: 'Veuillez saisir {limit} ou plus.',
    numberTooHigh: 'Veuillez saisir {limit} ou moins.',
    dateTooEarly: 'Veuillez saisir le {limit} ou une date ultérieure.',
    dateTooLate: 'Veuillez saisir le {limit} ou une date antérieure.',
    'too-short': {
      one: 'Veuillez saisir au moins {count} caractère.',
      many: 'Veuillez saisir au moins {count} de caractères.',
      other: 'Veuillez saisir au moins {count} caractères.',
    },
    'too-long': {
      one: 'Veuillez raccourcir à {count} caractère.',
      many: 'Veuillez raccourcir à {count} de caractères.',
      other: 'Veuillez raccourcir à {count} caractères.',
    },
    pattern: 'Cette réponse n’a pas la forme demandée.',
  },
  outcome: {
    accepted: 'Vous êtes connecté',
    cancelled: 'Connexion annulée',
    onTheWay: 'Retour en cours…',
    goOn: 'Continuer si rien ne se passe',
    rejected: 'Ce site n’a pas accepté la connexion',
    noReason: 'Le site n’a pas donné de raison.',
    continue: 'Continuer',
    failed: 'La connexion a échoué',
    unavailable: 'Impossible de se connecter pour le moment',
  },
  endings: {
    declined: {
      heading: 'Vous n’avez pas donné l’accès',
      text: 'Vous n’êtes pas connecté. Si vous changez d’avis, connectez-vous de nouveau depuis l’espace de commentaires.',
    },
    rejected: { heading: 'Ce site n’a pas accepté la connexion', text: 'Vous n’êtes pas connecté.' },
    'already-granted': {
      heading: 'Vous aviez déjà donné l’accès',
      text: 'Il n’y a plus rien à faire ici. Si l’espace de commentaires vous le demande encore, connectez-vous encore une fois.',
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
  way: {
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
    'bad-service-response': 'Le service de commentaires a donné une réponse inutilisable. Veuillez vous reconnecter.',
    'service-unavailable': 'Le service de commentaires n’est pas disponible pour le moment. Veuillez réessayer dans un instant.',
  },
};
