/** Further typed requests about mail, for the embedded planner. Data only. Called by phrases.ts. */

const SOME = '(mail|mails|email|emails|messages)'
const ONE = '(mail|email|message)'
const POST = '(mails|mail|emails|email|post|nachrichten)'
/** Documents that usually arrive by mail. */
const PAPER = '(invoice|receipt|bill|quote|confirmation|booking|order|ticket|tickets|statement|offer)'
const PAPIER =
  '(rechnung|quittung|bestätigung|buchung|bestellung|tickets|angebot|mahnung|auftragsbestätigung|bestellbestätigung)'

export const TYPED = {
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
      `(did|has|have) [the|my] {who} (reply|replied|answer|answered|write|written|email|emailed|mailed|get|got|come|gotten) [back] [to me] [yet|today|already|{when}]`,
      `(did i get|have i had|have i got|did we get) (anything|something|a reply|an answer|any reply) [back] from [the|my] {who} [yet|{when}]`,
      `(anything|something|any word|any reply|any answer|any news|a reply|an answer) from [the|my] {who} [yet|today|already|{when}]`,
      `[any] ${SOME} from [the|my] {who} (today|yet|lately|recently|this week|{when})`,
      `(check|see|look|tell me|let me know|find out) (if|whether) [the|my] {who} (replied|answered|wrote|emailed|mailed|has replied|has answered|has written|got back to me) [yet]`,
      `(check|see|look|tell me) if there is (a|any) (mail|email|message|reply|answer) from [the|my] {who} [yet]`,
      '(anything|something) (important|urgent|new) in [my] (mail|mails|inbox|email|emails) [today]',
      `[any] (important|urgent) ${SOME} [{when}]`,
      `[any] (unread|urgent|important|new) ${SOME} (i should|i need to|i have to|that i should) (look at|read|answer|see|know about) [{when}]`,
      `(which|what) ${SOME} (do i still have to|do i have to|do i need to|should i|i still have to|i have to|i need to) (answer|reply to|deal with) {when}`,
      `(what|which|any) ${SOME} from {when} (still need|need|needs|want) (an answer|a reply|answering) [from me]`,
      `(what|which) ${SOME} (came|came in|arrived|did i get|have i got) [{when}]`,
      `(can you|could you) check [my] ${SOME}`,
      'what came in [by mail] [{when}]',
      `${SOME} (today|{when})`,
    ],
    de: [
      `[sind|gibt es|gab es|hab ich|habe ich|haben wir] [schon|noch|irgendwelche] [neue|ungelesene|wichtige|dringende] ${POST} [da|gekommen|reingekommen|eingegangen|bekommen] [{when}]`,
      '(irgendwas|was|etwas|irgendetwas) (neues|wichtiges|dringendes) (im|in) (postfach|posteingang|mails|meinen mails|der mailbox|der post) [{when}]',
      '[ist] (was|etwas|irgendwas|neues) (im|in) (postfach|posteingang|mails|der mailbox) [{when}]',
      '(ist|kam|gab es|gibt es|hab ich|habe ich) [schon] (was|etwas|irgendwas|eine mail|ne mail|post|eine antwort|antwort|eine nachricht|mail) (von|vom|von der|von den) {who} [schon] [gekommen|da|bekommen|erhalten|reingekommen] [{when}]',
      '[ist] (von|vom|von der) {who} [schon] (was|etwas|eine mail|eine antwort) (gekommen|da|reingekommen|eingegangen)',
      'hat [sich] {who} [schon|noch|sich] (geschrieben|geantwortet|gemeldet|zurückgeschrieben|gemailt|reagiert|zurückgemeldet) [{when}]',
      `[die] (neue|neuen|letzte|letzten|ungelesene|ungelesenen) ${POST} [von {who}] [{when}]`,
      `(zeig|zeige|lies|check|checke|prüf|öffne|hol) [mir] [meine|die|alle] [neuen|letzten|ungelesenen|heutigen] ${POST} [von {who}] [{when}] [an|vor|durch]`,
      `(schau|guck|sieh) (ob|nach ob|mal ob) [ich] [neue] (${POST.slice(1, -1)}|was neues|etwas neues) (da ist|da sind|gekommen ist|gekommen sind|hab|habe|reingekommen ist)`,
      '[meine|mein|das] (postfach|posteingang|mails|emails|inbox) [checken|prüfen|anschauen]',
      '(schau|guck) [in] (mein|meine|ins|in die) (postfach|posteingang|mails|emails)',
      'wer hat [mir] [{when}] (geschrieben|gemailt|was geschickt|geantwortet)',
      'von wem (hab|habe) ich [{when}] (post|mails|mail) (bekommen|gekriegt)',
      'was (gibt es|gibts|ist) neues (im postfach|per mail|in der post|in den mails)',
      `(hab|habe) ich (post|mail|mails|was neues) [{when}]`,
      `[neue|ungelesene] (mails|emails|post|nachrichten)`,
      `(habe ich|hab ich|gibt es) [neue|ungelesene] (mails|emails|post|nachrichten) [{when}]`,
      '(zeig|zeige|prüf|prüfe|check) [mir] [bitte] meine [neuen|letzten] (mails|emails|nachrichten|post)',
      'hat {who} [mir] [schon] (geschrieben|geantwortet|gemailt)',
      '(mails|emails|post|nachrichten) von {who}',
      'wer hat [mir] [{when}] geschrieben',
    ],
  },
  'email.digest': {
    en: [
      `(which|what) ${SOME} (do i still have to|do i have to|do i need to|should i|i still have to|i have to|i need to) (answer|reply to|deal with)`,
      `(what|which|any) ${SOME} (still need|need|needs|want) (an answer|a reply|answering) [from me]`,
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
      `(summarise|summarize|sum up|give me a summary of|tell me about) (the|that|my) [last|latest] ${ONE} from [the|my] {who}`,
      `whats (the|that|in the) ${ONE} from [the|my] {who} [about]`,
      `what does the ${ONE} from [the|my] {who} say`,
      `(read|open|show) [me] the ${ONE} [that] {who} (sent|wrote) [me]`,
    ],
    de: [
      `(lies|lese|öffne|zeig) [mir] [bitte] [die] [letzte|neueste] (mail|email|nachricht) von {who} [vor]`,
      'was (schreibt|schrieb|will|wollte|sagt|meint) [denn|eigentlich] {who} [von mir|von uns|schon wieder|denn|jetzt|noch|eigentlich|wieder]',
      '(lies|lese|öffne|zeig|les) [mir] [die] [letzte|neueste] (mail|email|nachricht|antwort) (von|vom|von der) {who} [vor]',
      '(fass|fasse) [mir] [die] [letzte|lange] (mail|email|nachricht) (von|vom|von der) {who} [kurz] zusammen',
      'was steht in [der] (mail|email|nachricht) (von|vom|von der) {who}',
      'worum geht es in [der] (mail|email|nachricht) (von|vom|von der) {who}',
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
      `(find|search for|look for|dig out|get|show) [me] (the|that|my) ${PAPER} (from|of|by|for) [the|my] {what} [{when}]`,
      `(did|has) (the|that|my) ${PAPER} (from|of|for) [the|my] {what} (come|arrive|arrived|come in|come through) [yet] [in]`,
      `(where is|wheres) (the|that|my) ${PAPER} (from|of|by|for) [the|my] {what}`,
      `(did|have|has) (i|we) (get|got|receive|received|had) [a|an|the|any] ${PAPER} (from|for|of) [the|my] {what} [yet|already] [{when}]`,
      `(is there|do i have|have i got|have we got) [a|an|the|any] ${PAPER} (from|for|of) [the|my] {what} [{when}]`,
      `(did|has) [the|my] {what} (send|sent) [me|us|in|over] (the|a|an|their|my) ${PAPER} [yet|already]`,
      `(summarise|summarize|sum up|find|show) [me] [the] [last|latest|recent] [few] ${SOME} about [the|my] {what}`,
    ],
    de: [
      'suche [nach] {what} in meinen (mails|emails)',
      `(finde|find|such|suche|zeig) [mir] [die|eine|alle|meine] (mails|mail|email|nachricht|nachrichten) (über|zu|mit|wegen|zum|zur|bezüglich) {what} [raus|heraus]`,
      `(finde|find|such|suche) [mir] [die|den|das|eine] ${PAPIER} (von|vom|für|über|von der) {what} [{when}] [raus|heraus]`,
      `wo ist [die|der|das|meine] ${PAPIER} (von|vom|für|von der) {what}`,
      `(ist|kam) [die|der|das|meine] ${PAPIER} (von|vom|für|von der) {what} [schon|jetzt] (da|gekommen|angekommen|gekommen)`,
      `[die|der|das] ${PAPIER} (von|vom|für|von der) {what} ist [die|der|das] schon (da|gekommen)`,
      'wo ist [die|meine] (mail|nachricht) (von|über|wegen|mit|zu|vom) {what}',
      '(finde|find|such|suche) {what} in (den|meinen) (mails|nachrichten)',
      'durchsuche [meine|die] (mails|post) nach {what}',
      '(gibt es|hab ich|habe ich) [eine|mails] (mail|mails) (über|zu|wegen|zum) {what}',
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
