/** Phrases of mail requests, and the plan of each. Data only. Collected by `npm run tables`. */

import { TYPED } from '#typed/email'
import { PERSON, type Phrases, WHOM, words } from '../phrase.ts'
import { UNDO, UNDO_GERMAN } from '../undo-words.ts'
import { DIGEST } from './actions/digest-actions.ts'
import { PROMISES } from './actions/promise-actions.ts'
import { ATTACHED, ATTACHING, ATTACHING_LISTS } from './sentences/attaching.ts'
import {
  ANSWERED,
  ATTACHMENT_FROM_MAIL,
  ATTACHMENT_FROM_MAIL_LISTS,
  PART,
} from './sentences/attachment-from-mail.ts'
import { CASUAL_MESSAGE, GERMAN_NEWS, NEWS } from './sentences/casual-message.ts'
import { FILING_BY_WORDS, MAILING, NAMED_MAILING } from './sentences/filing.ts'
import { FOLDER_NAME, FOLDERING } from './sentences/foldering.ts'
import { AMONG, found, of } from './sentences/found.ts'
import { FROM_SOMEBODY, SOMEBODY } from './sentences/from-somebody.ts'
import { OPENING, OPENING_LISTS } from './sentences/opening.ts'
import { SAVE_SENDER } from './sentences/save-sender.ts'
import { REPLY_LATER, replying, SENDING, SENDING_LISTS, THESE } from './sentences/sending.ts'
import { SENT_LAST } from './sentences/sent.ts'
import { SHOWN_MAIL, THING } from './sentences/shown.ts'
import { SHOWN_ALL, SHOWN_ALL_LISTS } from './sentences/shown-all.ts'
import { SHOWN, SHOWN_READ } from './sentences/shown-steps.ts'
import { GERMAN_REPLY, REPLY, TO_SENDER } from './sentences/to-sender.ts'

/** Moves what was filed last back to the inbox. */
const TAKING_BACK = {
  back: {
    ...{ by: 'email.move', of: ['email.archive', 'email.delete', 'email.spam', 'email.file'] },
    ...{ list: 'emails', unknown: 'nothing_put_away' },
  },
  plan: [{ id: 's1', do: 'tool', tool: 'email.move', args: { ids: '{back.id}', to: 'inbox' } }],
} as const

export const EMAIL_PHRASES: Phrases = {
  typed: TYPED,
  shapes: {
    whom: { pattern: WHOM, example: 'Sarah' },
    sender: { pattern: PERSON, example: 'Sarah' },
    somebody: { pattern: SOMEBODY, example: 'Sarah' },
    thing: { pattern: THING, example: 'it' },
    folder: { pattern: FOLDER_NAME, example: 'Receipts' },
    own_address: { pattern: '[^\\s,;:@]{1,64}@[^\\s,;:@]{1,250}[^\\s,;:@.!?]', example: 'me@example.org' },
    mailing: { pattern: MAILING, example: 'newsletter' },
    named_mailing: { pattern: NAMED_MAILING, example: 'garden newsletter' },
    news: { pattern: NEWS, example: 'I am late' },
    reply: { pattern: REPLY, example: 'thanks, all good' },
    reply_de: { pattern: GERMAN_REPLY, example: 'danke, passt' },
    news_de: { pattern: GERMAN_NEWS, example: 'ich komme später' },
    these: { pattern: THESE, example: 'newsletters' },
    attached: { pattern: ATTACHED, example: 'contract.pdf' },
    part: { pattern: PART, example: 'contract' },
    answered: { pattern: ANSWERED, example: 'Sarah' },
    attached_too: { pattern: ATTACHED, example: 'budget.csv' },
  },
  lists: {
    de: {
      ...SENDING_LISTS.de,
      ...ATTACHING_LISTS.de,
      ...OPENING_LISTS.de,
      ...SHOWN_ALL_LISTS.de,
      ...ATTACHMENT_FROM_MAIL_LISTS.de,
    },
    en: {
      ...SENDING_LISTS.en,
      ...ATTACHING_LISTS.en,
      ...OPENING_LISTS.en,
      ...SHOWN_ALL_LISTS.en,
      ...ATTACHMENT_FROM_MAIL_LISTS.en,
      file_word: [
        'file',
        'files',
        'document',
        'documents',
        'event',
        'events',
        'meeting',
        'meetings',
        'appointment',
        'appointments',
        'note',
        'notes',
        'page',
        'transcript',
        'transcripts',
        'issue',
        'issues',
      ],
      /** Folder words, whose sentences are in foldering.ts. */
      of_folders: words('folder / folders / label / labels / ordner / mailordner'),
      /** Folder words, and words about mail that waits for an answer, which other sentences read. */
      of_else: words(
        'folder / folders / label / labels / ordner / mailordner / answer / answering / reply / respond',
      ),
      that: ['that', 'saying', 'and say', 'and say that'],
      mail: [
        'mail',
        'mails',
        'email',
        'emails',
        'e-mail',
        'e-mails',
        'inbox',
        'mailbox',
        'message',
        'messages',
      ],
      one: ['one', 'mail', 'email', 'e-mail', 'message', 'letter'],
      single: ['mail', 'email', 'e-mail', 'message'],
      letter: ['mail', 'email', 'e-mail', 'message', 'letter'],
      letters: ['mails', 'emails', 'e-mails', 'messages', 'letters'],
      own: words(`
        my / the / our / your / any / some / all / of / for / new / latest / last / recent / newest
        unread / next / first / top / through / up / out / me / me, / {number} / two / three / four
        five / six / seven / eight / nine / ten
      `),
      look: words(`
        check / show / list / get / open / see / view / fetch / scan / read / look at / go
        give / what's / what is
      `),
      is_there: words(`
        is there / are there / do I have / have I got / have I received / did I get / did I receive
        got / I have / any / anything / something / was there / were there
      `),
      wrote: words(`
        mail / email / e-mail / mailed / emailed / write / written / reply / replied / answer
        answered
      `),
      whose_day: [
        ...['I', 'you', 'my (day|week|month|calendar|schedule)', 'the (day|week)'],
        '(my|the) (file|document)',
        '(the|that|this|its) (attachment|attached file|invitation|invite)',
      ],
      /** Files are read by another package. */
      file_ending: words('md / markdown / txt / csv / tsv / html'),
      from: ['from', 'by'],
      the_one: [
        'the (mail|email|e-mail|message|letter|one) (from|about) [the|my]',
        'the',
        'that',
        '(mail|email|message) from',
      ],
    },
  },
  things: { one: 'letter', many: 'letters' },
  sought: {
    names:
      'e-?mails?|mails?|inbox|mailbox|postfach|posteingang|newsletters?|anschreiben|(?:by|per) post|mail drin',
    plan: [{ id: 's1', do: 'tool', tool: 'email.search', args: { words: '{these}' } }],
  },
  // A mail that was only filed has no title for a reminder.
  thing: {
    ...SHOWN,
    only: [],
    called: '(?:e-?)?mails?|messages?|letters?|nachricht|brief',
    opens: [SHOWN_READ],
    writer: { named: 'fromName', address: 'from', tool: 'email.search', argument: 'from' },
  },
  asks: [
    ...DIGEST,
    ...ATTACHMENT_FROM_MAIL,
    {
      intent: 'email_read',
      says: {
        en: [
          '(read|open|show|display|see|summarise|summarize) [me] [out] (the|that|this) [{nth}] <one> ...',
          '(read|open|show|display|see|summarise|summarize) [me] [out] my {nth} <one> ...',
          '(read|open|show|display|summarise|summarize) [me] [out] [the|my] {nth}',
          '(read|open|show|display|summarise|summarize) [me] [out] [the|my] {nth} <one> ...',
          '(read|open|show|display|get) [me] [out] {whose} [last|latest|newest] <letter> ...',
          '(read|open) [me] [out] (it|that one|this one)',
          '(read|open) [me] [out] [an|a|the] <single> (from|by) ...',
          'show [me] (an|a|the|that) <single> (from|by) ...',
          'what (does|did) !(<whose_day>) {any 1-3} (say|write|want|send|reply|answer) ... - <file_ending>',
        ],
        de: ['was (will|wollte|möchte) {any 1-2} [denn|eigentlich|jetzt|schon wieder] [von mir]'],
      },
      takes: { who: 'from', count: 'place' },
      among: AMONG,
      plan: [{ id: 's1', do: 'tool', tool: 'email.read', args: { id: '{one.id}' } }],
    },
    {
      intent: 'email_check',
      says: {
        en: [
          '<look> <own>* <mail> ... - <of_else>',
          '(summarise|summarize) <own>* <mail> (from|by|about|of|since|this|in|today|yesterday) ... - <of_else>',
          '<is_there> {any 0-4} <mail> ... - <of_folders>',
          "(what|what's|what is) [new] (in|with) my <mail> ... - <of_folders>",
          'what [new|unread] <mail> (do I have|have I got|are there|did I get|came) ... - <of_folders>',
          'which [new|unread] <mail> ... - <of_else>',
          'who (wrote|has written|emailed|e-mailed|mailed|has emailed|has mailed) [to] me ...',
          '(did|has) {any 1-3} <wrote> ...',
          '[my] [new|unread|latest|recent] <mail>',
          '[my] [new|unread|latest|recent] <mail> (from|about) ...',
        ],
      },
      takes: { who: 'from', when: {}, unread: true, count: 'many' },
      // The listed rows count as shown, so that "it" and "the second one" refer to them.
      plan: [
        {
          ...{ id: 's1', do: 'tool', tool: 'email.list' },
          args: {
            ...{ from: '{who}', unread: '{unread}', since: '{when.from}', before: '{when.to}' },
            count: '{count}',
          },
        },
      ],
    },
    ...PROMISES,
    ...OPENING,
    ...ATTACHING,
    ...SHOWN_MAIL,
    ...SHOWN_ALL,
    ...TO_SENDER,
    ...SAVE_SENDER,
    REPLY_LATER,
    {
      says: {
        en: [
          '(reply|answer|respond|write back) [to] [the] {who} <that> {topic}',
          '(reply|answer|respond) to the (mail|email|message) from {who} <that> {topic}',
        ],
      },
      among: AMONG,
      plan: replying('{who}', '{topic.whole}'),
    },
    {
      says: { en: ['draft (a reply|an answer) to [the] {who} <that> {topic}'] },
      among: AMONG,
      plan: [
        ...found('{who}'),
        { id: 's3', do: 'tool', tool: 'email.draft', args: { answers: of('id'), body: '{topic.whole}' } },
      ],
    },
    ...SENDING,
    ...CASUAL_MESSAGE,
    ...FILING_BY_WORDS,
    {
      says: {
        en: [
          '(put|move|bring|take) (it|that|them) back (in|into|to) [the|my] inbox',
          '(unarchive|undelete) (it|that|them)',
          UNDO,
          'undo (the|that) (deletion|delete|removal|move|archiving)',
        ],
        de: [
          UNDO_GERMAN,
          '(mach|mache|nimm) (das löschen|die löschung|das archivieren|das verschieben) [bitte] [wieder] (rückgängig|zurück)',
          '(hol|hole) (sie|die|die mail) [wieder] (zurück|aus dem papierkorb)',
        ],
      },
      ...TAKING_BACK,
    },
    {
      says: {
        en: [
          '(bring|get|put|fetch) (it|that|them|the mail|that mail|the email) back',
          '(restore|recover) (it|that|them|the mail|that mail|the email)',
        ],
        de: [
          '(hol|hole|bring|bringe) (sie|es|das|die mail|alles) [bitte|sofort] [wieder] zurück',
          '(stell|stelle) (sie|es|das|die mail) wieder her',
        ],
      },
      // Also for files and events: the last action is meant, of whatever package.
      yields: true,
      ...TAKING_BACK,
    },
    {
      says: {
        en: [
          '(find|search for|look for|dig out|show) [me] [all] [the|my] <mail> (about|with|on) [the|my|a] {these} (from|of|in) {when}',
          '(find|search for|look for|dig out|show) [me] (the|that|my|a|any|all) {these} (from|of) {when} - <file_word>',
        ],
      },
      past: true,
      plan: [
        {
          ...{ id: 's1', do: 'tool', tool: 'email.search' },
          args: { words: '{these}', since: '{when.from}', before: '{when.to}' },
        },
      ],
    },
    {
      says: {
        en: [
          '(find|search for|look for|dig out|show) [me] [all] [the|my] <mail> (about|with|on) [the|my|a] {these} since {when}',
        ],
        de: [
          '(finde|such|suche|zeig|zeige) [mir] [alle] [die|meine] (mail|mails|email|emails|nachrichten) (über|zu|zum|zur|mit|wegen) [der|dem|den|die|das] {these} seit {when}',
        ],
      },
      past: true,
      plan: [
        {
          ...{ id: 's1', do: 'tool', tool: 'email.search' },
          args: { words: '{these}', since: '{when.from}' },
        },
      ],
    },
    {
      says: {
        en: [
          '(find|search for|look for) (the|a|any|my|all) (mail|mails|email|emails|message|messages) (about|with|on) {what}',
          'search [my] (mail|mails|email|emails|inbox) for {what}',
          'find {what} in my (mail|mails|email|emails|inbox)',
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'email.search', args: { words: '{what}' } }],
    },
    {
      says: {
        en: [
          '(did|has) (anyone|anybody|someone|somebody|one of them) [ever] <wrote> [back] [to] [me|us] (about|regarding|concerning|on) [the|my|our] {these} [yet|already]',
          '(did|has) (anyone|anybody|someone|somebody|one of them) [ever] (get|got|come|gotten) back [to] [me|us] (about|on|regarding) [the|my|our] {these} [yet]',
          '(anything|any word|any reply|any answer|any news) by mail (about|on|regarding) [the|my|our] {these} [yet]',
        ],
        de: [
          'hat (jemand|irgendwer|wer) [schon|mir] (geantwortet|geschrieben|reagiert) (wegen|zu|zum|zur|bezüglich|auf) [der|dem|den|die|das] {these}',
          'hat [sich] (jemand|irgendwer|wer) [schon|mir] (wegen|zu|zum|zur|bezüglich|auf) [der|dem|den|die|das] {these} [schon] (geantwortet|geschrieben|zurückgeschrieben|gemeldet)',
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'email.search', args: { words: '{these}' } }],
    },
    {
      says: {
        en: [
          '(summarise|summarize|sum up|read|show|show me|find|find me) the (thread|conversation|exchange|mails|emails|messages|correspondence) (with|from|between me and) [the|my] {sender} (about|on|regarding) [the|my|our] {these}',
          '(there was|i had|i got|theres|there is) [a|an] (mail|email|message) from [the|my|our] {sender} about [the|my|our] {these}',
          '[i] (cant|cannot|can not|could not|couldnt) find the (mail|email|message) from [the|my|our] {sender} about [the|my|our] {these}',
          '(did|has|have) [the|my] {sender} ever (get|got|come|gotten) back [to] [me|us] (about|on|regarding) [the|my|our] {these} [yet]',
          '(did|has|have) [the|my] {sender} ever <wrote> [back] [to] [me|us] (about|on|regarding) [the|my|our] {these} [yet]',
          '(check|see|look|tell me|find out) (if|whether) [the|my] {sender} [has|have] <wrote> [back] [to] [me] on [the|my|our] {these} [yet]',
          '(did|has|have) [the|my] [guy from|man from|lady from|woman from|people from|people at|lot at] {sender} <wrote> [back] [to] [me|us|my mail|my email|my letter|my message] (about|regarding|concerning|on) [the|my|our] {these} [yet|already]',
          '(did|has|have) [the|my] {sender} (send|sent) [me|us] (anything|something|a mail|an email|a message|word) (about|regarding|concerning|on) [the|my|our] {these} [yet|already]',
          '(did|has|have) [the|my] {sender} (say|said) (anything|something) (about|regarding|concerning|on) [the|my|our] {these} [yet|already]',
          '(did|has|have) [the|my] {sender} (get|got|come|gotten) back [to] [me|us] (about|on|regarding) [the|my|our] {these} [yet|already]',
          '(anything|something|any word|any reply|any answer|any news|a reply|an answer|any mail|any email|any emails) from [the|my] {sender} (about|on|regarding) [the|my|our] {these} [yet]',
          '(check|see|look|tell me|let me know|find out) (if|whether) [the|my] {sender} [has|have] <wrote> [back] [to] [me] (about|regarding) [the|my|our] {these} [yet]',
        ],
        de: [
          '(hat|haben) [sich] [die|der|das|prof.|dr.|frau|herr] {sender} [schon|noch|sich|mir|nochmal|nochmals|eigentlich] (geantwortet|geschrieben|zurückgeschrieben|gemeldet|reagiert|gemailt) (wegen|zu|zum|zur|bezüglich|über) [der|dem|den|die|das] {these}',
          'hat [sich] [die|der|das] {sender} [schon|sich|mir|nochmal|nochmals|eigentlich] (wegen|zu|zum|zur|bezüglich) [der|dem|den|die|das] {these} [schon] (geantwortet|geschrieben|zurückgeschrieben|gemeldet)',
          '(gibt es|ist) [schon] (was|etwas|eine antwort) von [der|dem] {sender} (wegen|zu|zum|zur|bezüglich) [der|dem|den|die|das] {these} [da]',
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'email.search', args: { from: '{sender}', words: '{these}' } }],
    },
    {
      says: {
        en: ['(find|search for|look for|show) [me] [all] [the|my] (mail|mails|email|emails) by {who}'],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'email.search', args: { from: '{who}' } }],
    },
    {
      says: { en: ['how much [unread] mail do I have', 'count my [unread] mail'] },
      plan: [{ id: 's1', do: 'tool', tool: 'email.count', args: {} }],
    },
    ...FOLDERING,
    ...FROM_SOMEBODY,
    ...SENT_LAST,
  ],
}
