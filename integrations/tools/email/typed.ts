/** More ways in which people type requests about mail, for the embedded planner. Data only. Called by phrases.ts. */

const SOME = '(mail|mails|email|emails|messages)'
const ONE = '(mail|email|message)'

export const EMAIL_TYPED = {
  'email.list': {
    en: [
      `(any|got|have i got|do i have) [new|any] ${SOME} [{when}]`,
      `(check|show|list|see|open|pull up|bring up|look at|go through|get|view) [me] [my|the|all|new] [unread|latest|recent|newest] (inbox|mailbox|${SOME.slice(1)}`,
      `(look|see|check|tell me) if (there is|there are|i have|i got) [any|new] ${SOME}`,
      `whats [new] in (my|the) (inbox|mailbox|mail) [{when}]`,
      `[is there] (anything|something) [new] in (my|the) (inbox|mailbox|mail) [{when}]`,
      `[my] [new|unread|latest|last|recent|newest] ${SOME}`,
      '[my] (inbox|mailbox)',
      `(last|latest|first|newest) {number} ${SOME}`,
      `(give|show) me the (last|latest|newest|most recent) {number} ${SOME}`,
      `(give|show) me the {number} (latest|newest|most recent) ${SOME}`,
      `show [me] [the|my|all] unread [${SOME.slice(1, -1)}]`,
      `(what|which|whats) [${SOME.slice(1, -1)}] [is|are] (unread|new|havent i read|have i not read) [yet]`,
      `what (havent i|have i not) (read|opened) [yet]`,
      `[new|unread|any] ${SOME} from [the|my] {who} [{when}]`,
      `(show|list|check|see) [me] [the|my|all|any] [new|unread] ${SOME} from [the|my] {who}`,
      `(is there|do i have|have i got|got) (anything|something|mail|a mail|an email|a message|any news) from [the|my] {who} [{when}]`,
      `(anything|something) [new] from [the|my] {who} [in my (mail|inbox)]`,
      '(did|has) [the|my] {who} (write|written|write back|reply|replied|answer|answered|mail|mailed|email|emailed|written back|responded|respond|sent) [to] [me] [anything|something] [yet] [already] [{when}]',
      '(did|has) [the|my] {who} (send|sent) me (anything|something|a mail|an email|a message) [yet] [{when}]',
      'have i heard from {who} [{when}]',
      'who (wrote|mailed|emailed|messaged|has written|has been writing|contacted|is writing) [to] [me] [{when}]',
      'whos (been writing|written|writing|emailing) [to] [me] [{when}]',
      `my (recent|latest) ${SOME}`,
      `i want to see my [recent|new] ${SOME}`,
    ],
    de: [
      `[neue|ungelesene] (mails|emails|post|nachrichten)`,
      `(habe ich|hab ich|gibt es) [neue|ungelesene] (mails|emails|post|nachrichten) [{when}]`,
      '(zeig|zeige|prüf|prüfe|check) [mir] [bitte] meine [neuen|letzten] (mails|emails|nachrichten|post)',
      'hat {who} [mir] [schon] (geschrieben|geantwortet|gemailt)',
      '(mails|emails|post|nachrichten) von {who}',
      'wer hat [mir] [{when}] geschrieben',
    ],
  },
  'email.read': {
    en: [
      `(read|open|show|see|display) [me] [out] [the] {whose} [last|latest|newest|new] ${ONE}`,
      `(read|open|show|see|display|let me see|let me read) [me] [out] (the|that) [last|latest|newest|new] ${ONE} from [the|my] {who}`,
      `(read|open|show|see|display) [me] [out] [the|my] {nth} (${ONE.slice(1)}`,
      `(read|open|show) [me] [out] (the|my) (latest|newest|most recent|last) ${ONE}`,
      '(read|open|show) [me] [out] the {nth} one',
      `what (did|does) [the|my] {who} (write|say|want|need|answer|reply|send) [me|us]`,
      `i (want|would like) to (read|see|open) the ${ONE} {who} (sent|wrote) [me]`,
      `(read|open|show) [me] the ${ONE} [that] {who} (sent|wrote) [me]`,
    ],
    de: [
      `(lies|lese|öffne|zeig) [mir] [bitte] [die] [letzte|neueste] (mail|email|nachricht) von {who} [vor]`,
      'was (schreibt|will|sagt) {who}',
    ],
  },
  'email.count': {
    en: [
      `how many [new|unread] ${SOME} (do i have|have i got|are there|did i get)`,
      `how many [of my] ${SOME} are (unread|new)`,
      `(number|count) of [my] [new|unread] ${SOME}`,
      `count [my|the|all] [new|unread] ${SOME}`,
      `how many unread`,
      `how many [new|unread|new unread] ${SOME} (are there|do i have|have i) [now|right now|today]`,
    ],
    de: ['wie viele [neue|ungelesene] (mails|emails|nachrichten) (habe ich|hab ich|sind da)'],
  },
  'email.search': {
    en: [
      '(find|search for|look for|dig up|dig out|look up) [me] (the|that|my) {what}',
      '(search|look through|go through) [my|the] (mail|mails|inbox|emails|mailbox) for {what}',
      `(search|look|find|look up) [for] {what} in [my|the|all] (inbox|${SOME.slice(1)}`,
      `(find|show|search|look for|list) [me] [the|a|all|any|my] ${SOME} (about|with|on|mentioning|regarding|concerning) [the|my|a] {what}`,
      `[any] ${SOME} (about|mentioning|regarding|concerning) [the|my|a] {what}`,
      `search [my|the] (inbox|mailbox|${SOME.slice(1)} for [the|my|a] {what}`,
      `where is (the|that|my) ${ONE} (with|about|regarding) [the|my|a] {what}`,
      `(is there|do i have|have i got) [a|an|any] ${SOME} about [the|my|a] {what}`,
    ],
    de: [
      'suche [nach] {what} in meinen (mails|emails)',
      '(finde|suche) [die|eine] (mails|mail|email) (über|zu|mit) {what}',
    ],
  },
  'email.reply': {
    en: [
      '(reply|answer|respond|write back) [to] [the|my] {who} [that|saying] {topic}',
      'tell [the|my] {who} {topic}',
      'let {who} know [that] {topic}',
    ],
    de: ['(antworte|antwort) {who} [dass] {topic}'],
  },
  'email.send': {
    en: [
      '(write|mail|email) [to] {address_of} about {what} {topic}',
      'send [a|an] (mail|email|message) to {address_of} about {what} {topic}',
    ],
  },
  'email.archive': {
    en: [
      `archive (the|that) ${ONE} (from|about) [the|my] {what}`,
      `archive [the|that|my] {what} [${ONE.slice(1, -1)}]`,
    ],
  },
  'email.delete': {
    en: [
      `(delete|trash|bin|throw away|remove|get rid of) (the|that) ${ONE} (from|about) [the|my] {what}`,
      `(delete|trash|throw away|remove) (the|that) {what} ${ONE}`,
    ],
  },
  'email.spam': {
    en: [
      `(mark|flag|report) (the|that) {what} ${ONE} as (spam|junk)`,
      `(mark|flag|report) (the|that) ${ONE} (from|about) [the|my] {what} as (spam|junk)`,
      `(the|that) ${ONE} from [the|my] {what} is (spam|junk)`,
    ],
  },
  'email.mark': {
    en: [
      `(mark|flag) {what} ${ONE} [as] read`,
      `(mark|flag) the ${ONE} (from|about) [the|my] {what} [as] read`,
    ],
  },
  'email.mark#2': {
    en: [
      `(mark|flag) {what} ${ONE} [as] unread`,
      `(mark|flag) the ${ONE} (from|about) [the|my] {what} [as] unread`,
    ],
  },
} as const
