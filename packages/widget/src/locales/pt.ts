/** Português. */

import type { Language } from './language.ts';

export const core: Language['core'] = {
  heading: 'Comentários',
  message: 'Seu comentário',
  post: 'Publicar comentário',
  notLoaded: 'Não é possível publicar agora. Seu texto fica salvo neste dispositivo. Recarregue a página para tentar de novo.',
};

export const engine: Language['engine'] = {
  account: {
    signedInAs: 'Comentando como {name}',
    signOut: 'Sair',
    mayWrite: 'Escreva agora e entre para publicar.',
  },
  action: {
    signIn: 'Entrar para publicar',
    posting: 'Publicando…',
    tryAgain: 'Tentar de novo',
  },
  status: {
    oneMoment: 'Um momento…',
    waiting: 'A entrada continua em outra janela.',
    reopen: 'Abrir de novo',
    popupBlocked: 'Seu navegador não abriu uma janela, por isso a entrada continua nesta página. Seu texto fica salvo.',
    goOnHere: 'Continuar agora',
    offline: 'Você está sem conexão. Seu texto fica salvo neste dispositivo.',
    unavailable: 'Não é possível entrar agora. Continue escrevendo: seu texto fica salvo e continuamos tentando.',
    posting: 'Publicando…',
    retrying: {
      one: 'Ainda não publicado. Nova tentativa em {count} segundo.',
      many: 'Ainda não publicado. Nova tentativa em {count} de segundos.',
      other: 'Ainda não publicado. Nova tentativa em {count} segundos.',
    },
    stop: 'Parar de tentar',
  },
  notes: {
    signInFirst: 'Entre para publicar. Seu texto fica salvo.',
    signedIn: 'Você entrou como {name}.',
    notPostedYet: 'Você entrou como {name}. Seu comentário ainda não foi publicado.',
    signedOut: 'Você saiu da conta.',
    posted: 'Seu comentário foi publicado.',
    stopped: 'Interrompido. Seu texto fica salvo.',
  },
  notices: {
    declined: 'Você não deu acesso, por isso não entrou.',
    rejected: 'Este site não aceitou a entrada.',
    'already-granted': 'Você já tinha dado acesso antes. Se ainda não entrou, entre mais uma vez.',
  },
  alert: {
    empty: 'Escreva algo primeiro.',
    notPosted: 'Seu comentário não foi publicado. {reason} Seu texto fica salvo.',
    offline: 'Você está sem conexão.',
    unsure: '{reason} Verifique se ele já aparece antes de publicar de novo.',
    serviceSays: 'A resposta foi: {words}',
    invalidReturn: 'Este link de entrada está incompleto. Entre de novo.',
    formNotLoaded: 'Não foi possível carregar o formulário de entrada. Tente de novo.',
  },
  choice: {
    iCanSeeIt: 'Já aparece',
    postAgain: 'Publicar de novo',
  },
  signIn: {
    about: 'Você está prestes a entrar como {name}.',
    continueAs: 'Continuar como {name}',
    notYou: 'Não é você?',
    unfinished: 'Sua entrada como {name} ainda não terminou.',
    goOn: 'Continuar a entrar',
    cancel: 'Cancelar',
  },
  counter: {
    left: { one: 'Resta {count} caractere', many: 'Restam {count} de caracteres', other: 'Restam {count} caracteres' },
    over: { one: '{count} caractere a mais', many: '{count} de caracteres a mais', other: '{count} caracteres a mais' },
    near: 'Seu comentário está perto do tamanho máximo.',
    tooLong: 'Seu comentário é longo demais.',
  },
  posts: {
    heading: 'Publicado agora',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'O serviço de comentários não entendeu este pedido. Recarregue a página e tente de novo.',
  'untrusted-completion-uri': 'Este link de entrada não leva de volta ao serviço de comentários, por isso não foi usado. Entre de novo.',
  'untrusted-return-uri': 'Esta página não pode ser usada para entrar. Avise o site.',
  'not-signed-in': 'Sua sessão terminou. Entre de novo.',
  'cross-site-request': 'Esta página não tem permissão para usar o serviço de comentários. Avise o site.',
  'forum-not-allowed': 'Os comentários não estão configurados para esta página. Avise o site.',
  'user-mismatch': 'O serviço de comentários confirmou outra conta. Entre de novo.',
  'not-found': 'O serviço de comentários não foi encontrado. Avise o site.',
  'method-not-allowed': 'O serviço de comentários não aceitou este pedido. Recarregue a página e tente de novo.',
  'not-acceptable': 'O serviço de comentários não conseguiu responder a este navegador. Avise o site.',
  'no-sync-in-progress': 'Esta entrada terminou ou demorou demais. Entre de novo.',
  'code-already-used': 'Esta entrada já foi usada antes. Entre de novo.',
  'post-in-progress': 'Este comentário ainda está sendo publicado.',
  'idempotency-key-reused': 'Talvez uma versão anterior deste comentário já tenha sido publicada.',
  'message-too-long': 'Este comentário é longo demais.',
  'payload-too-large': 'Este comentário é longo demais.',
  'unsupported-media-type': 'O serviço de comentários não aceitou este pedido. Recarregue a página e tente de novo.',
  'invalid-answers': 'Confira suas respostas.',
  'too-many-requests': 'Foram pedidos demais de uma vez. Espere um momento e tente de novo.',
  'service-refused': 'O serviço de comentários recusou.',
  'bad-service-response': 'O serviço de comentários deu uma resposta que não pode ser usada. Tente de novo.',
  'service-unavailable': 'O serviço de comentários não está disponível agora.',
  'outcome-unknown': 'Não é certo que este comentário tenha sido publicado.',
  'internal-error': 'Algo deu errado do nosso lado. Tente de novo.',
  network: 'Não foi possível alcançar o serviço de comentários.',
};

export const notice: Language['notice'] = {
  comments: 'As configurações de segurança desta página impedem a exibição da caixa de comentários.',
  openComments: 'Escrever um comentário em uma página própria',
  sync: 'As configurações de segurança desta página impedem a exibição do formulário.',
  openSync: 'Continuar a entrar em uma página própria',
};

export const sync: Language['sync'] = {
  wait: {
    asking: 'Um momento…',
    starting: 'Entrando…',
    sending: 'Verificando suas respostas…',
    cancelling: 'Cancelando…',
    slow: 'Está demorando mais do que o normal. Fique nesta página.',
  },
  confirm: {
    heading: 'Entre para comentar',
    about: 'Você está prestes a entrar com esta conta:',
    continueAs: 'Continuar como {name}',
    notYou: 'Não é você? Cancelar',
    nothingSent: 'Ninguém entra até você continuar.',
  },
  questions: {
    heading: 'Antes de comentar',
    about: 'Este site pergunta a todos que querem comentar:',
    signingInAs: 'Entrando como {name}',
    requiredMark: '* resposta obrigatória',
    optional: '(opcional)',
    choose: 'Escolha uma opção',
    noAnswer: 'Sem resposta',
    submit: 'Concluir a entrada',
    cancel: 'Cancelar',
  },
  faults: {
    summary: {
      one: 'Confira esta resposta:',
      many: 'Confira estas {count} de respostas:',
      other: 'Confira estas {count} respostas:',
    },
    required: 'Responda a esta pergunta.',
    requiredOption: 'Escolha uma opção.',
    requiredTick: 'Marque esta caixa para continuar.',
    'not-a-text': 'Há aqui um caractere que não pode ser enviado.',
    'not-a-number': 'Digite um número.',
    'not-a-date': 'Digite uma data completa que exista.',
    'not-an-email': 'Digite um endereço de e-mail, como nome@example.com.',
    'not-an-option': 'Escolha uma das opções.',
    numberTooLow: 'Digite {limit} ou mais.',
    numberTooHigh: 'Digite {limit} ou menos.',
    dateTooEarly: 'Digite {limit} ou uma data posterior.',
    dateTooLate: 'Digite {limit} ou uma data anterior.',
    'too-short': {
      one: 'Digite pelo menos {count} caractere.',
      many: 'Digite pelo menos {count} de caracteres.',
      other: 'Digite pelo menos {count} caracteres.',
    },
    'too-long': {
      one: 'Reduza para {count} caractere.',
      many: 'Reduza para {count} de caracteres.',
      other: 'Reduza para {count} caracteres.',
    },
    pattern: 'Não está no formato pedido.',
  },
  outcome: {
    accepted: 'Você entrou',
    cancelled: 'Entrada cancelada',
    onTheWay: 'Voltando…',
    goOn: 'Continuar se nada acontecer',
    rejected: 'Este site não aceitou a entrada',
    noReason: 'O site não informou o motivo.',
    continue: 'Continuar',
    failed: 'Não foi possível entrar',
    unavailable: 'Não é possível entrar agora',
  },
  endings: {
    declined: {
      heading: 'Você não deu acesso',
      text: 'Você não entrou. Se mudar de ideia, entre de novo pela caixa de comentários.',
    },
    rejected: { heading: 'Este site não aceitou a entrada', text: 'Você não entrou.' },
    'already-granted': {
      heading: 'Você já tinha dado acesso antes',
      text: 'Não há mais nada a fazer aqui. Se a caixa de comentários ainda pedir, entre mais uma vez.',
    },
    cancelled: { heading: 'Entrada cancelada', text: 'Você não entrou.' },
    'signed-in': { heading: 'Você entrou', text: 'Você pode voltar e publicar seu comentário.' },
    'nothing-to-do': {
      heading: 'Nada a fazer aqui',
      text: 'Nenhuma entrada está em andamento nesta janela. Volte ao artigo e entre pela caixa de comentários.',
    },
    'invalid-return': {
      heading: 'Este link de entrada está incompleto',
      text: 'Falta uma parte dele. Volte ao artigo e entre de novo pela caixa de comentários.',
    },
  },
  way: {
    tryAgain: 'Tentar de novo',
    startAgain: 'Entrar de novo',
    close: 'Fechar esta janela',
    closeYourself: 'Seu navegador manteve esta janela aberta. Você já pode fechá-la.',
    toSite: 'Ir para {site}',
    toComments: 'Voltar aos comentários',
  },
  problems: {
    'payload-too-large': 'Suas respostas são longas demais.',
    'outcome-unknown': 'Não é certo que a entrada tenha funcionado. Entre de novo.',
    'service-refused': 'O serviço de comentários não aceitou esta entrada. Entre de novo.',
    'bad-service-response': 'O serviço de comentários deu uma resposta que não pode ser usada. Entre de novo.',
    'service-unavailable': 'O serviço de comentários não está disponível agora. Tente de novo daqui a pouco.',
  },
};
