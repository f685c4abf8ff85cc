/** עברית. */

import type { Language } from './language.ts';

export const direction = 'rtl';

export const core: Language['core'] = {
  heading: 'תגובות',
  message: 'התגובה שלך',
  post: 'פרסום התגובה',
  signIn: 'להתחבר כדי להגיב',
  notLoaded: 'אי אפשר לפרסם כרגע. יש לנסות שוב.',
};

export const comments: Language['comments'] = {
  account: {
    signedInAs: 'תגובה בשם {name}',
    signOut: 'יציאה',
    mayWrite: 'אפשר לכתוב עכשיו ולהתחבר כדי לפרסם.',
  },
  action: {
    posting: 'מתפרסם…',
    tryAgain: 'ניסיון נוסף',
  },
  status: {
    oneMoment: 'רק רגע…',
    waiting: 'יש להשלים את ההתחברות בחלון השני.',
    reopen: 'פתיחה מחדש',
    offline: 'אין חיבור לאינטרנט.',
    unavailable: 'אי אפשר להתחבר כרגע. מנסים שוב…',
    posting: 'מתפרסם…',
    retrying: {
      one: 'עדיין לא פורסם. ניסיון נוסף בעוד שנייה אחת.',
      two: 'עדיין לא פורסם. ניסיון נוסף בעוד שתי שניות.',
      other: 'עדיין לא פורסם. ניסיון נוסף בעוד {count} שניות.',
    },
    stop: 'הפסקת הניסיונות',
  },
  messages: {
    signInFirst: 'יש להתחבר כדי לפרסם.',
    signedIn: 'התחברת בשם {name}.',
    notPostedYet: 'התחברת בשם {name}. התגובה שלך עדיין לא פורסמה.',
    signedOut: 'יצאת מהחשבון.',
    posted: 'התגובה שלך פורסמה.',
    stopped: 'הופסק.',
    signInTimedOut: 'ההתחברות לא הושלמה בזמן. יש להתחבר שוב.',
    discarded: 'הטיוטה שלך נמחקה.',
  },
  serverNotices: {
    declined: 'לא ניתנה גישה, ולכן לא התחברת.',
    rejected: 'האתר לא קיבל את ההתחברות.',
    'already-granted': 'כבר אישרת גישה, ולכן שירות התגובות לא שלח התחברות חדשה. יש לבטל את הגישה של האתר הזה בחשבון שלך בשירות, ואז להתחבר שוב.',
  },
  alert: {
    empty: 'קודם צריך לכתוב משהו.',
    notPosted: 'התגובה שלך לא פורסמה. {reason}',
    offline: 'אין חיבור לאינטרנט.',
    unconfirmed: '{reason} כדאי לבדוק אם היא כבר שם לפני שמפרסמים אותה שוב.',
    serviceSays: 'תשובתו: {words}',
    invalidCallback: 'קישור ההתחברות אינו שלם. יש להתחבר שוב.',
    formNotLoaded: 'לא ניתן היה לטעון את טופס ההתחברות. יש לנסות שוב.',
    cookieBlocked: 'התחברת, אבל הדפדפן אינו מאפשר לדף הזה להשתמש בהתחברות. אפשר להגיב בדף נפרד.',
  },
  choice: {
    iCanSeeIt: 'אני רואה אותה',
    postAgain: 'פרסום חוזר',
  },
  signIn: {
    about: 'עומדים לחבר אותך בשם {name}.',
    continueAs: 'להמשיך בשם {name}',
    notYou: 'זה לא החשבון שלך?',
    unfinished: 'ההתחברות בשם {name} עדיין לא הסתיימה.',
    goOn: 'המשך ההתחברות',
    cancel: 'ביטול',
    blocked: 'הדפדפן חסם את חלון ההתחברות.',
    continueHere: 'להמשיך בדף הזה',
    stay: 'להישאר כאן',
  },
  signOut: {
    about: 'התנתקות תמחק מהדפדפן הזה את הטקסט שלא פרסמת.',
    confirm: 'יציאה',
    stay: 'להישאר מחוברים',
  },
  draft: {
    kept: 'הטקסט שלך שמור במכשיר הזה.',
    notKept: 'הדפדפן הזה אינו יכול לשמור את הטקסט שלך. כדאי להעתיק אותו לפני שעוזבים את הדף.',
    discard: 'מחיקת הטיוטה',
    second: 'יש טקסט נוסף שלך לדף הזה שלא פורסם:',
    insert: 'להוסיף אותו',
    remove: 'למחוק אותו',
  },
  counter: {
    left: { one: 'נשאר תו אחד', two: 'נשארו שני תווים', other: 'נשארו {count} תווים' },
    over: { one: 'תו אחד יותר מדי', two: 'שני תווים יותר מדי', other: '{count} תווים יותר מדי' },
    near: 'מתקרבים למגבלת התווים.',
    tooLong: 'התגובה שלך ארוכה מדי.',
  },
  posts: {
    heading: 'התגובות האחרונות שלך',
  },
};

export const problems: Language['problems'] = {
  'invalid-request': 'שירות התגובות לא הבין את הבקשה. יש לטעון את הדף מחדש ולנסות שוב.',
  'untrusted-completion-uri': 'קישור ההתחברות אינו מוביל חזרה לשירות התגובות, ולכן לא נעשה בו שימוש. יש להתחבר שוב.',
  'untrusted-return-uri': 'אי אפשר להתחבר מהדף הזה. נא להודיע לאתר.',
  'not-signed-in': 'החיבור שלך הסתיים. יש להתחבר שוב.',
  'cross-site-request': 'לדף הזה אין רשות להשתמש בשירות התגובות. נא להודיע לאתר.',
  'forum-not-allowed': 'התגובות אינן מוגדרות לדף הזה. נא להודיע לאתר.',
  'user-mismatch': 'שירות התגובות אישר חשבון אחר. יש להתחבר שוב.',
  'not-found': 'שירות התגובות לא נמצא. נא להודיע לאתר.',
  'method-not-allowed': 'שירות התגובות לא קיבל את הבקשה. יש לטעון את הדף מחדש ולנסות שוב.',
  'not-acceptable': 'שירות התגובות לא הצליח לענות לדפדפן הזה. נא להודיע לאתר.',
  'no-sync-in-progress': 'ההתחברות הסתיימה או ארכה זמן רב מדי. יש להתחבר שוב.',
  'code-already-used': 'כבר נעשה שימוש בהתחברות הזאת. יש להתחבר שוב.',
  'user-changed': 'שם החשבון שלך אינו השם שהוצג לך. יש לבדוק את השם ולהמשיך.',
  'post-in-progress': 'התגובה הזאת עדיין מתפרסמת.',
  'idempotency-key-reused': 'ייתכן שגרסה קודמת של התגובה כבר פורסמה.',
  'message-too-long': 'התגובה הזאת ארוכה מדי.',
  'post-rejected': 'האתר לא קיבל את התגובה הזאת.',
  'payload-too-large': 'התגובה הזאת ארוכה מדי.',
  'unsupported-media-type': 'שירות התגובות לא קיבל את הבקשה. יש לטעון את הדף מחדש ולנסות שוב.',
  'invalid-answers': 'נא לעבור שוב על התשובות שלך.',
  'too-many-requests': 'יותר מדי ניסיונות. יש להמתין רגע ולנסות שוב.',
  'service-refused': 'שירות התגובות סירב.',
  'bad-service-response': 'שירות התגובות נתן תשובה שאי אפשר להשתמש בה. נא לנסות שוב.',
  'service-unavailable': 'שירות התגובות אינו זמין כרגע.',
  'outcome-unknown': 'לא בטוח שהתגובה הזאת פורסמה.',
  'internal-error': 'משהו השתבש אצלנו. נא לנסות שוב.',
  network: 'לא ניתן היה להגיע לשירות התגובות.',
  reference: 'אסמכתה: {id}',
};

export const fallback: Language['fallback'] = {
  comments: 'לא ניתן לטעון כאן את תיבת התגובות.',
  openComments: 'כתיבת תגובה בדף נפרד',
  sync: 'לא ניתן לטעון כאן את טופס ההתחברות.',
  openSync: 'המשך ההתחברות בדף נפרד',
};

export const sync: Language['sync'] = {
  wait: {
    asking: 'רק רגע…',
    starting: 'מתחברים…',
    sending: 'בודקים את התשובות שלך…',
    cancelling: 'מבטלים…',
    slow: 'זה לוקח יותר זמן מהרגיל. נא להישאר בדף הזה.',
  },
  confirm: {
    heading: 'התחברות לצורך תגובה',
    about: 'עומדים לחבר אותך עם החשבון הזה:',
    continueAs: 'להמשיך בשם {name}',
    notYou: 'זה לא החשבון שלך? ביטול',
  },
  questions: {
    heading: 'לפני שמגיבים',
    about: 'האתר {site} שואל את כל מי שרוצה להגיב:',
    signingInAs: 'התחברות בשם {name}',
    optional: '(רשות)',
    choose: 'נא לבחור',
    noAnswer: 'ללא תשובה',
    submit: 'סיום ההתחברות',
    cancel: 'ביטול',
    superseded: 'התחברות חדשה יותר החליפה את הקודמת. יש לבדוק את החשבון ולהמשיך.',
  },
  answerErrors: {
    summary: {
      one: 'נא לבדוק שוב את התשובה הזאת:',
      two: 'נא לבדוק שוב את שתי התשובות האלה:',
      other: 'נא לבדוק שוב את {count} התשובות האלה:',
    },
    required: 'נא לענות על השאלה.',
    requiredOption: 'נא לבחור אפשרות.',
    requiredTick: 'נא לסמן כאן כדי להמשיך.',
    'not-a-text': 'יש כאן תו שאי אפשר לשלוח.',
    'not-a-number': 'נא להזין מספר.',
    'not-a-date': 'יש להזין תאריך תקין.',
    'not-an-email': 'נא להזין כתובת דוא״ל, כגון name@example.com.',
    'not-an-option': 'נא לבחור באחת האפשרויות.',
    numberTooLow: 'נא להזין {limit} או יותר.',
    numberTooHigh: 'נא להזין {limit} או פחות.',
    dateTooEarly: 'נא להזין את {limit} או תאריך מאוחר יותר.',
    dateTooLate: 'נא להזין את {limit} או תאריך מוקדם יותר.',
    'too-short': {
      one: 'נא להזין תו אחד לפחות.',
      two: 'נא להזין שני תווים לפחות.',
      other: 'נא להזין לפחות {count} תווים.',
    },
    'too-long': { one: 'נא לקצר לתו אחד.', two: 'נא לקצר לשני תווים.', other: 'נא לקצר ל־{count} תווים.' },
    pattern: 'זה לא בצורה המבוקשת.',
  },
  outcome: {
    onTheWay: 'מחזירים אותך…',
    goOn: 'להמשיך ידנית',
    continue: 'המשך',
    failed: 'ההתחברות לא הצליחה',
    unavailable: 'אי אפשר להתחבר כרגע',
  },
  endings: {
    declined: { heading: 'לא ניתנה גישה', text: 'לא התחברת. אפשר להתחבר שוב מתיבת התגובות.' },
    rejected: { heading: 'האתר {site} לא קיבל את ההתחברות', text: 'לא התחברת.' },
    'already-granted': {
      heading: 'כבר נתת גישה בעבר',
      text: 'שירות התגובות לא שלח התחברות חדשה. יש לבטל את הגישה של האתר {site} בחשבון שלך בשירות, ואז להתחבר שוב מתיבת התגובות.',
    },
    cancelled: { heading: 'ההתחברות בוטלה', text: 'לא התחברת.' },
    'signed-in': { heading: 'התחברת', text: 'אפשר לחזור ולפרסם את התגובה שלך.' },
    'nothing-to-do': {
      heading: 'אין מה לעשות כאן',
      text: 'אין התחברות שנמשכת בחלון הזה. אפשר לחזור לכתבה ולהתחבר מתיבת התגובות שלה.',
    },
    'invalid-return': {
      heading: 'קישור ההתחברות אינו שלם',
      text: 'חלק ממנו חסר. אפשר לחזור לכתבה ולהתחבר שוב מתיבת התגובות שלה.',
    },
  },
  exits: {
    tryAgain: 'ניסיון נוסף',
    startAgain: 'התחברות מחדש',
    close: 'סגירת החלון',
    closeYourself: 'הדפדפן השאיר את החלון פתוח. אפשר לסגור אותו עכשיו.',
    toSite: 'מעבר אל {site}',
    toComments: 'חזרה לתגובות',
  },
  problems: {
    'payload-too-large': 'התשובות שלך ארוכות מדי.',
    'outcome-unknown': 'לא בטוח שההתחברות הצליחה. יש להתחבר שוב.',
    'service-refused': 'שירות התגובות לא קיבל את ההתחברות. יש להתחבר שוב.',
    'bad-service-response': 'שירות התגובות נתן תשובה שאי אפשר להשתמש בה. יש להתחבר שוב.',
    'service-unavailable': 'שירות התגובות אינו זמין כרגע. נא לנסות שוב בעוד רגע.',
  },
};

export const thread: Language['thread'] = {
  heading: 'תגובות הקוראים',
  loading: 'התגובות נטענות…',
  empty: 'אין תגובות עדיין.',
  failed: 'לא ניתן היה לטעון את התגובות.',
  reference: 'אסמכתה: {id}',
  tryAgain: 'ניסיון נוסף',
  showMore: 'הצגת תגובות נוספות',
  showWhole: 'הצגת התגובה המלאה',
  unlisted: 'התגובה החדשה שלך',
};
