/** Türkçe. */

import type { Language } from './language.ts';

export const core: Language['core'] = {
  heading: 'Yorumlar',
  message: 'Yorumunuz',
  post: 'Yorumu gönder',
  notLoaded: 'Şu anda yorum gönderilemiyor. Metniniz bu cihazda saklanıyor. Yeniden denemek için sayfayı yenileyin.',
};

export const engine: Language['engine'] = {
  account: {
    signedInAs: '{name} olarak yorum yapıyorsunuz',
    signOut: 'Çıkış yap',
    mayWrite: 'Şimdi yazın, göndermek için oturum açın.',
  },
  action: {
    signIn: 'Göndermek için oturum aç',
    posting: 'Gönderiliyor…',
    tryAgain: 'Yeniden dene',
  },
  status: {
    oneMoment: 'Bir dakika…',
    waiting: 'Oturum açma işlemi başka bir pencerede sürüyor.',
    reopen: 'Yeniden aç',
    popupBlocked: 'Tarayıcınız pencere açmadı; oturum açma işlemi bu sayfada sürecek. Metniniz saklanıyor.',
    goOnHere: 'Şimdi devam et',
    offline: 'Çevrimdışısınız. Metniniz bu cihazda saklanıyor.',
    unavailable: 'Şu anda oturum açılamıyor. Yazmaya devam edin: metniniz saklanıyor, biz de denemeyi sürdürüyoruz.',
    posting: 'Gönderiliyor…',
    retrying: {
      one: 'Henüz gönderilmedi. {count} saniye sonra yeniden denenecek.',
      other: 'Henüz gönderilmedi. {count} saniye sonra yeniden denenecek.',
    },
    stop: 'Denemeyi bırak',
  },
  notes: {
    signInFirst: 'Göndermek için oturum açın. Metniniz saklanıyor.',
    signedIn: '{name} olarak oturum açtınız.',
    notPostedYet: '{name} olarak oturum açtınız. Yorumunuz henüz gönderilmedi.',
    signedOut: 'Oturumunuz kapatıldı.',
    posted: 'Yorumunuz gönderildi.',
    stopped: 'Durduruldu. Metniniz saklanıyor.',
  },
  notices: {
    declined: 'Erişim izni vermediniz, bu yüzden oturum açılmadı.',
    rejected: 'Bu site oturum açmayı kabul etmedi.',
    'already-granted': 'Daha önce erişim izni vermiştiniz. Oturumunuz hâlâ açılmadıysa lütfen bir kez daha oturum açın.',
  },
  alert: {
    empty: 'Önce bir şey yazın.',
    notPosted: 'Yorumunuz gönderilmedi. {reason} Metniniz saklanıyor.',
    offline: 'Çevrimdışısınız.',
    unsure: '{reason} Yeniden göndermeden önce yorumun orada olup olmadığına bakın.',
    serviceSays: 'Yanıtı: {words}',
    invalidReturn: 'Bu oturum açma bağlantısı eksik. Lütfen yeniden oturum açın.',
    formNotLoaded: 'Oturum açma formu yüklenemedi. Lütfen yeniden deneyin.',
  },
  choice: {
    iCanSeeIt: 'Yorumu görüyorum',
    postAgain: 'Yeniden gönder',
  },
  signIn: {
    about: '{name} olarak oturum açmak üzeresiniz.',
    continueAs: '{name} olarak devam et',
    notYou: 'Siz değil misiniz?',
    unfinished: '{name} olarak oturum açma işleminiz henüz bitmedi.',
    goOn: 'Oturum açmaya devam et',
    cancel: 'İptal',
  },
  counter: {
    left: { one: '{count} karakter kaldı', other: '{count} karakter kaldı' },
    over: { one: '{count} karakter fazla', other: '{count} karakter fazla' },
    near: 'Yorumunuz uzunluk sınırına yaklaştı.',
    tooLong: 'Yorumunuz çok uzun.',
  },
  posts: {
    heading: 'Az önce gönderildi',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'Yorum hizmeti bu isteği anlamadı. Sayfayı yenileyip yeniden deneyin.',
  'untrusted-completion-uri': 'Bu oturum açma bağlantısı yorum hizmetine geri götürmüyor, bu yüzden kullanılmadı. Lütfen yeniden oturum açın.',
  'untrusted-return-uri': 'Bu sayfadan oturum açılamaz. Lütfen siteye bildirin.',
  'not-signed-in': 'Oturumunuz artık açık değil. Lütfen yeniden oturum açın.',
  'cross-site-request': 'Bu sayfanın yorum hizmetini kullanma izni yok. Lütfen siteye bildirin.',
  'forum-not-allowed': 'Bu sayfa için yorumlar ayarlanmamış. Lütfen siteye bildirin.',
  'user-mismatch': 'Yorum hizmeti başka bir hesabı doğruladı. Lütfen yeniden oturum açın.',
  'not-found': 'Yorum hizmeti bulunamadı. Lütfen siteye bildirin.',
  'method-not-allowed': 'Yorum hizmeti bu isteği kabul etmedi. Sayfayı yenileyip yeniden deneyin.',
  'not-acceptable': 'Yorum hizmeti bu tarayıcıya yanıt veremedi. Lütfen siteye bildirin.',
  'no-sync-in-progress': 'Bu oturum açma işlemi sona ermiş veya çok uzun sürmüş. Lütfen yeniden oturum açın.',
  'code-already-used': 'Bu oturum açma işlemi daha önce kullanılmış. Lütfen yeniden oturum açın.',
  'post-in-progress': 'Bu yorum hâlâ gönderiliyor.',
  'idempotency-key-reused': 'Bu yorumun önceki bir sürümü gönderilmiş olabilir.',
  'message-too-long': 'Bu yorum çok uzun.',
  'payload-too-large': 'Bu yorum çok uzun.',
  'unsupported-media-type': 'Yorum hizmeti bu isteği kabul etmedi. Sayfayı yenileyip yeniden deneyin.',
  'invalid-answers': 'Lütfen yanıtlarınızı gözden geçirin.',
  'too-many-requests': 'Bir anda çok fazla istek geldi. Lütfen biraz bekleyip yeniden deneyin.',
  'service-refused': 'Yorum hizmeti kabul etmedi.',
  'bad-service-response': 'Yorum hizmetinin yanıtı kullanılamadı. Lütfen yeniden deneyin.',
  'service-unavailable': 'Yorum hizmeti şu anda kullanılamıyor.',
  'outcome-unknown': 'Bu yorumun gönderilip gönderilmediği kesin değil.',
  'internal-error': 'Bizim tarafımızda bir sorun oldu. Lütfen yeniden deneyin.',
  network: 'Yorum hizmetine ulaşılamadı.',
};

export const notice: Language['notice'] = {
  comments: 'Bu sayfanın güvenlik ayarları yorum kutusunun gösterilmesini engelliyor.',
  openComments: 'Ayrı bir sayfada yorum yaz',
  sync: 'Bu sayfanın güvenlik ayarları formun gösterilmesini engelliyor.',
  openSync: 'Ayrı bir sayfada oturum açmaya devam et',
};

export const sync: Language['sync'] = {
  wait: {
    asking: 'Bir dakika…',
    starting: 'Oturum açılıyor…',
    sending: 'Yanıtlarınız denetleniyor…',
    cancelling: 'İptal ediliyor…',
    slow: 'Bu, her zamankinden uzun sürüyor. Lütfen bu sayfada kalın.',
  },
  confirm: {
    heading: 'Yorum yapmak için oturum açın',
    about: 'Şu hesapla oturum açmak üzeresiniz:',
    continueAs: '{name} olarak devam et',
    notYou: 'Siz değil misiniz? İptal',
    nothingSent: 'Siz devam edene kadar oturum açılmaz.',
  },
  questions: {
    heading: 'Yorum yapmadan önce',
    about: 'Bu site, yorum yapmak isteyen herkese şunları soruyor:',
    signingInAs: '{name} olarak oturum açılıyor',
    requiredMark: '* yanıtlanması zorunlu',
    optional: '(isteğe bağlı)',
    choose: 'Seçin',
    noAnswer: 'Yanıt yok',
    submit: 'Oturum açmayı tamamla',
    cancel: 'İptal',
  },
  faults: {
    summary: { one: 'Lütfen bu yanıta yeniden bakın:', other: 'Lütfen bu {count} yanıta yeniden bakın:' },
    required: 'Lütfen bunu yanıtlayın.',
    requiredOption: 'Lütfen birini seçin.',
    requiredTick: 'Devam etmek için lütfen bunu işaretleyin.',
    'not-a-text': 'Burada gönderilemeyen bir karakter var.',
    'not-a-number': 'Lütfen bir sayı girin.',
    'not-a-date': 'Lütfen var olan tam bir tarih girin.',
    'not-an-email': 'Lütfen ad@example.com gibi bir e-posta adresi girin.',
    'not-an-option': 'Lütfen seçeneklerden birini seçin.',
    numberTooLow: 'En az {limit} girin.',
    numberTooHigh: 'En çok {limit} girin.',
    dateTooEarly: '{limit} veya daha sonraki bir tarih girin.',
    dateTooLate: '{limit} veya daha önceki bir tarih girin.',
    'too-short': { one: 'Lütfen en az {count} karakter girin.', other: 'Lütfen en az {count} karakter girin.' },
    'too-long': { one: 'Lütfen bunu {count} karaktere kısaltın.', other: 'Lütfen bunu {count} karaktere kısaltın.' },
    pattern: 'Bu, istenen biçimde değil.',
  },
  outcome: {
    accepted: 'Oturum açtınız',
    cancelled: 'Oturum açma iptal edildi',
    onTheWay: 'Geri götürülüyorsunuz…',
    goOn: 'Bir şey olmazsa devam et',
    rejected: 'Bu site oturum açmayı kabul etmedi',
    noReason: 'Site bir neden belirtmedi.',
    continue: 'Devam et',
    failed: 'Oturum açılamadı',
    unavailable: 'Şu anda oturum açılamıyor',
  },
  endings: {
    declined: {
      heading: 'Erişim izni vermediniz',
      text: 'Oturum açılmadı. Fikrinizi değiştirirseniz yorum kutusundan yeniden oturum açın.',
    },
    rejected: { heading: 'Bu site oturum açmayı kabul etmedi', text: 'Oturum açılmadı.' },
    'already-granted': {
      heading: 'Daha önce erişim izni vermiştiniz',
      text: 'Burada yapılacak başka bir şey yok. Yorum kutusu hâlâ soruyorsa lütfen bir kez daha oturum açın.',
    },
    cancelled: { heading: 'Oturum açma iptal edildi', text: 'Oturum açılmadı.' },
    'signed-in': { heading: 'Oturum açtınız', text: 'Geri dönüp yorumunuzu gönderebilirsiniz.' },
    'nothing-to-do': {
      heading: 'Burada yapılacak bir şey yok',
      text: 'Bu pencerede süren bir oturum açma işlemi yok. Yazıya geri dönüp yorum kutusundan oturum açın.',
    },
    'invalid-return': {
      heading: 'Bu oturum açma bağlantısı eksik',
      text: 'Bir bölümü yok. Yazıya geri dönüp yorum kutusundan yeniden oturum açın.',
    },
  },
  way: {
    tryAgain: 'Yeniden dene',
    startAgain: 'Yeniden oturum aç',
    close: 'Bu pencereyi kapat',
    closeYourself: 'Tarayıcınız bu pencereyi açık bıraktı. Artık kapatabilirsiniz.',
    toSite: '{site} sitesine git',
    toComments: 'Yorumlara dön',
  },
  problems: {
    'payload-too-large': 'Yanıtlarınız çok uzun.',
    'outcome-unknown': 'Oturumun açılıp açılmadığı kesin değil. Lütfen yeniden oturum açın.',
    'service-refused': 'Yorum hizmeti bu oturum açma işlemini kabul etmedi. Lütfen yeniden oturum açın.',
    'bad-service-response': 'Yorum hizmetinin yanıtı kullanılamadı. Lütfen yeniden oturum açın.',
    'service-unavailable': 'Yorum hizmeti şu anda kullanılamıyor. Lütfen birazdan yeniden deneyin.',
  },
};
