/** Phrases of mail requests, and the plan of each. Data only. Collected by `npm run tables`. */
import { type Phrases, words } from '../phrase.ts'

export const EMAIL_PHRASES: Phrases = {
  lists: {
    en: {
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
        summarise / summarize / give / what's / what is
      `),
      is_there: words(`
        is there / are there / do I have / have I got / have I received / did I get / did I receive
        got / I have / any / anything / something / was there / were there
      `),
      wrote: words(`
        mail / email / e-mail / mailed / emailed / write / written / reply / replied / answer
        answered
      `),
      whose_day: ['I', 'you', 'my (day|week|month|calendar|schedule)', 'the (day|week)'],
      from: ['from', 'by'],
    },
  },
  things: { one: 'letter', many: 'letters' },
  asks: [
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
          '(read|open|show) [me] [out] [an|a|the] <single> (from|by) ...',
          'what (does|did) !(<whose_day>) {any 1-3} (say|write|want|send|reply|answer) ...',
        ],
      },
      takes: { who: 'from', count: 'place' },
      among: { tool: 'email.list', list: 'emails', first: 'unread', unknown: 'which_mail' },
      plan: [{ id: 's1', do: 'tool', tool: 'email.read', args: { id: '{one.id}' } }],
    },
    {
      intent: 'email_check',
      says: {
        en: [
          '<look> <own>* <mail> ...',
          '<is_there> {any 0-4} <mail> ...',
          "(what|what's|what is) [new] (in|with) my <mail> ...",
          'what [new|unread] <mail> (do I have|have I got|are there|did I get|came) ...',
          '(how many|which) [new|unread] <mail> ...',
          'who (wrote|has written|emailed|e-mailed|mailed|has emailed|has mailed) [to] me ...',
          '(did|has) {any 1-3} <wrote> ...',
          '[my] [new|unread|latest|recent] <mail>',
          '[my] [new|unread|latest|recent] <mail> (from|about) ...',
        ],
      },
      takes: { who: 'from', when: {}, unread: true, count: 'many' },
      plan: [{ id: 's1', do: 'tool', tool: 'email.list', args: { unread: '{unread}', count: '{count}' } }],
    },
    {
      says: { en: ['how much [unread] mail do I have', 'count my [unread] mail'] },
      plan: [{ id: 's1', do: 'tool', tool: 'email.count', args: {} }],
    },
  ],
}
