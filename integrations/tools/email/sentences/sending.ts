/**
 * Sentences that write, draft or forward a mail, to addresses and to contacts by name. Each send needs an approval. Data only.
 * Called by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'
import { AMONG, found, of } from './found.ts'

/** Forwards the text of the mail with the words of `{what}`. */
function forwarding(more: { readonly [name: string]: string } = {}) {
  return [
    ...found('{what}'),
    { id: 's3', do: 'tool', tool: 'email.read', args: { id: of('id') } },
    {
      ...{ id: 's4', do: 'tool', tool: 'email.forward' },
      args: { to: '{whom}', id: of('id'), subject: of('subject'), text: { $ref: 's3.body' }, ...more },
    },
  ] as const
}

/** Answers the mail with these words, to its single sender. */
export function replying(who: string, body: string) {
  return [
    ...found(who),
    {
      ...{ id: 's3', do: 'tool', tool: 'email.reply' },
      args: { to: of('from'), replyTo: of('replyTo'), id: of('id'), subject: of('subject'), body },
    },
  ] as const
}

/** Words that name mails, none of which starts something else. */
const THESE_WORD = '(?!(?:and|und|then|but|aber|if|unless|except|außer|every)\\s)[^\\s,;.!?:\\u0001]{1,40}'
export const THESE = `${THESE_WORD}(?:\\s${THESE_WORD}){0,5}?`

export const SENDING_LISTS = {
  en: {
    saying: [
      'that',
      'saying',
      'saying that',
      'to say',
      'to say that',
      'and say',
      'and say that',
      'and let (him|her|them) know',
      'and let (him|her|them) know that',
      'to let (him|her|them) know',
      'to let (him|her|them) know that',
      'to tell (him|her|them) !(to)',
      'to tell (him|her|them) that',
      'telling (him|her|them) !(to)',
      'telling (him|her|them) that',
      'and tell (him|her|them) !(to)',
      'and tell (him|her|them) that',
    ],
    answer: ['reply', 'answer', 'respond', 'write back'],
    everyone: ['all', 'everyone', 'everybody', 'all of them', 'the whole thread'],
    send: ['write', 'send', 'shoot', 'drop'],
    draft: ['draft', 'prepare', 'start', 'write a draft of', 'make a draft of', 'make'],
    titled: ['with the subject', 'with subject', 'subject', 'subject:', 'titled', 'called'],
    text: [
      'text',
      'text:',
      'body',
      'body:',
      'and text',
      'and the text',
      'with the text',
      'and body',
      'message',
      'message:',
      'saying',
      'and say',
      'that',
    ],
    pass: ['forward', 'pass on', 'send on'],
    note: [
      'with the note',
      'with a note',
      'with a note saying',
      'and say',
      'saying',
      'and add',
      'note',
      'note:',
    ],
  },
  de: {
    answer: ['antworte', 'antwort', 'beantworte'],
    everyone: ['alle', 'allen'],
    send: ['schreib', 'schreibe', 'schick', 'schicke', 'sende', 'send'],
    letter: ['mail', 'email', 'e-mail', 'nachricht'],
    letters: ['mails', 'emails', 'e-mails', 'nachrichten'],
    saying: ['dass'],
    titled: ['mit dem betreff', 'betreff', 'betreff:', 'über', 'zu'],
    text: ['text', 'text:', 'und dem text', 'mit dem text', 'dass'],
  },
}

/** Excludes a time after a mark, which belongs to the text, and one after these words, which belongs to the subject. */
const NOT_LATER = '(?:[:,]|\\s(?:about|re|regarding|concerning|wegen))\\s*\\u0001'

/** "Send Tom tomorrow at 9: running late": the time comes before the text, which keeps its own times. */
const LATER: Phrases['asks'][number] = {
  says: {
    en: [
      '<send> {whom} (a|an) [short|quick] <letter> {when} : {topic}',
      '<send> {whom} (a|an) [short|quick] <letter> {when} <saying> {topic}',
      '(<send>|mail|email|e-mail) [to] !((a|an|the) [short|quick] <letter> to) {whom} {when} : {topic}',
      '(<send>|mail|email|e-mail) [to] !((a|an|the) [short|quick] <letter> to) {whom} {when} <saying> {topic}',
      '<send> [a|an|the] [short|quick] <letter> to {whom} {when} : {topic}',
      '<send> [a|an|the] [short|quick] <letter> to {whom} {when} <saying> {topic}',
      'schedule (a|an|the|this) <letter> to {whom} (for|on|at) {when} : {topic}',
      'schedule (a|an|the|this) <letter> to {whom} (for|on|at) {when} <saying> {topic}',
      'schedule (a|an|the|this) <letter> to {whom} {when} : {topic}',
      'schedule (a|an|the|this) <letter> (for|on|at) {when} to {whom} : {topic}',
      'schedule (a|an|the|this) <letter> {when} to {whom} : {topic}',
    ],
    de: [
      '<send> [an] {whom} {when} : {topic}',
      '<send> {when} [an] {whom} : {topic}',
      '<send> [an] {whom} {when} eine [kurze|kleine|schnelle] <letter> : {topic}',
      '<send> {when} eine [kurze|kleine|schnelle] <letter> an {whom} : {topic}',
      '[<send>] [eine] [kurze|kleine|schnelle] <letter> an {whom} {when} : {topic}',
      '(plan|plane) eine [kurze|kleine|schnelle] <letter> an {whom} (für|auf|am) {when} : {topic}',
      '(plan|plane) eine [kurze|kleine|schnelle] <letter> an {whom} {when} : {topic}',
    ],
  },
  unlike: NOT_LATER,
  later: [
    {
      ...{ id: 's1', do: 'tool', tool: 'email.send' },
      args: { to: '{whom}', subject: '{topic.head}', body: '{topic.whole}' },
    },
  ],
  plan: [
    {
      ...{ id: 's1', do: 'tool', tool: 'email.send_later' },
      args: { at: '{when.from}', to: '{whom}', subject: '{topic.head}', body: '{topic.whole}' },
    },
  ],
}

/** Answers the mail of that person at a given time. */
function replyingLater() {
  return [
    ...found('{sender}'),
    {
      ...{ id: 's3', do: 'tool', tool: 'email.reply_later' },
      args: {
        ...{ at: '{when.from}', to: of('from'), replyTo: of('replyTo'), id: of('id') },
        ...{ subject: of('subject'), body: '{topic.whole}' },
      },
    },
  ] as const
}

/** A new mail from this address of the owner. */
const AS: Phrases['asks'][number] = {
  says: {
    en: [
      '<send> [a|an] [<letter>] (as|from) {own_address} to {whom} : {topic}',
      '<send> [a|an] [<letter>] (as|from) {own_address} to {whom} <saying> {topic}',
      '(<send>|mail|email|e-mail) [to] {whom} (as|from) {own_address} : {topic}',
      '(<send>|mail|email|e-mail) [to] {whom} (as|from) {own_address} <saying> {topic}',
    ],
    de: [
      '<send> (als|von|unter) {own_address} an {whom} : {topic}',
      '<send> [an] {whom} (als|von|unter) {own_address} : {topic}',
    ],
  },
  plan: [
    {
      ...{ id: 's1', do: 'tool', tool: 'email.send' },
      args: { to: '{whom}', subject: '{topic.head}', body: '{topic.whole}', from: '{own_address}' },
    },
  ],
}

export const REPLY_LATER: Phrases['asks'][number] = {
  says: {
    en: [
      '<answer> [to] [the|my] [<letter> from] {sender} {when} <saying> {topic}',
      '<answer> [to] [the|my] [<letter> from] {sender} {when} : {topic}',
    ],
    de: [
      '<answer> [auf] [die] [<letter> von] {sender} {when} <saying> {topic}',
      '<answer> [auf] [die] [<letter> von] {sender} {when} : {topic}',
    ],
  },
  among: AMONG,
  unlike: NOT_LATER,
  later: replying('{sender}', '{topic.whole}'),
  plan: replyingLater(),
}

export const SENDING: Phrases['asks'] = [
  LATER,
  AS,
  {
    says: {
      en: [
        '(suggest|propose|find|add) [me] [some|new|more] contacts (from|in|out of) [my] [sent] (mail|mails|email|emails|e-mail|mailbox)',
        '(who|whom) should (I add|be) [to|in] my contacts',
        'suggest [me] [some|new|more] contacts',
      ],
      de: ['(schlag|schlage) [mir] [neue] kontakte [aus meinen mails] vor'],
    },
    plan: [
      { id: 's1', do: 'tool', tool: 'email.recipients', args: {} },
      { id: 's2', do: 'tool', tool: 'contact.new', args: { people: { $ref: 's1.people' } } },
      {
        ...{ id: 's3', do: 'tool', tool: 'contact.add' },
        args: { people: { $ref: 's2.people' }, more: { $ref: 's2.more' } },
        when: { ref: 's2.people', is: 'not_empty' },
      },
    ],
  },
  {
    says: {
      en: [
        '<answer> [to] [the|my] [<letter> from] {sender} <saying> {topic}',
        '<answer> [to] [the|my] [<letter> from] {sender} : {topic}',
      ],
      de: [
        '<answer> [auf] [die] [<letter> von] {sender} <saying> {topic}',
        '<answer> [auf] [die] [<letter> von] {sender} : {topic}',
      ],
    },
    among: AMONG,
    plan: replying('{sender}', '{topic.whole}'),
  },
  {
    says: {
      en: [
        '(write|send) (a|an) (mail|email|message) to {address_of} about {what} <that> {topic}',
        '(write|mail|email) [to] {address_of} about {what} <that> {topic}',
      ],
    },
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'email.send' },
        args: { to: ['{address_of}'], subject: '{what}', body: '{topic}' },
      },
    ],
  },
  {
    says: {
      en: [
        '<send> [a|an|the] [short|quick] <letter> to {whom} <titled> {what} <text> {topic}',
        '<send> [a|an|the] [short|quick] <letter> to {whom} <titled> {what} : {topic}',
        '<send> {whom} (a|an) [short|quick] <letter> <titled> {what} <text> {topic}',
        '<send> {whom} (a|an) [short|quick] <letter> <titled> {what} : {topic}',
        '(<send>|mail|email|e-mail) [to] {whom} <titled> {what} <text> {topic}',
        '(<send>|mail|email|e-mail) [to] {whom} <titled> {what} : {topic}',
        '<send> [a|an|the] [short|quick] <letter> to {whom} about [the|my|our] {what} <text> {topic}',
        '(mail|email|e-mail) {whom} about [the|my|our] {what} <text> {topic}',
        '(mail|email|e-mail) {whom} about [the|my|our] {what} : {topic}',
      ],
      de: [
        '[<send>] [eine] [kurze|kleine|schnelle] <letter> an {whom} <titled> {what} <text> {topic}',
        '[<send>] [eine] [kurze|kleine|schnelle] <letter> an {whom} <titled> {what} : {topic}',
        '<send> {whom} eine [kurze|kleine|schnelle] <letter> <titled> {what} <text> {topic}',
        '<send> {whom} eine [kurze|kleine|schnelle] <letter> <titled> {what} : {topic}',
      ],
    },
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'email.send' },
        args: { to: '{whom}', subject: '{what}', body: '{topic.whole}' },
      },
    ],
  },
  {
    says: {
      en: [
        '<send> [a|an|the] [short|quick] <letter> to {whom} <saying> {topic}',
        '<send> [a|an|the] [short|quick] <letter> to {whom} : {topic}',
        '<send> {whom} (a|an) [short|quick] <letter> <saying> {topic}',
        '<send> {whom} (a|an) [short|quick] <letter> : {topic}',
        '(<send>|mail|email|e-mail) [to] {whom} <saying> {topic}',
        '(<send>|mail|email|e-mail) [to] {whom} : {topic}',
        '[a|an] (mail|email|e-mail) to {whom} <saying> {topic}',
        '[a|an] (mail|email|e-mail) to {whom} : {topic}',
      ],
      de: [
        '<send> [an] {whom} eine [kurze|kleine|schnelle] <letter> <saying> {topic}',
        '<send> [an] {whom} eine [kurze|kleine|schnelle] <letter> : {topic}',
        '[<send>] [eine] [kurze|kleine|schnelle] <letter> an {whom} <saying> {topic}',
        '[<send>] [eine] [kurze|kleine|schnelle] <letter> an {whom} : {topic}',
        '<send> [an] {whom} <saying> {topic}',
        '<send> [an] {whom} : {topic}',
      ],
    },
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'email.send' },
        args: { to: '{whom}', subject: '{topic.head}', body: '{topic.whole}' },
      },
    ],
  },
  {
    says: {
      en: [
        '<draft> (a|an) <letter> to {whom} about [the|my|our] {what} <text> {topic}',
        '<draft> (a|an) <letter> to {whom} <titled> {what} <text> {topic}',
        '<draft> (a|an) <letter> to {whom} <titled> {what} : {topic}',
      ],
    },
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'email.draft' },
        args: { to: '{whom}', subject: '{what}', body: '{topic.whole}' },
      },
    ],
  },
  {
    says: {
      en: [
        '<draft> (a|an) <letter> (to|for) {whom} <saying> {topic}',
        '<draft> (a|an) <letter> (to|for) {whom} : {topic}',
        '(draft|write a draft) (to|for) {whom} <saying> {topic}',
        '(draft|write a draft) (to|for) {whom} : {topic}',
      ],
      de: [
        '(entwirf|verfasse) eine [kurze|kleine|schnelle] <letter> an {whom} <saying> {topic}',
        '(entwirf|verfasse) eine [kurze|kleine|schnelle] <letter> an {whom} : {topic}',
      ],
    },
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'email.draft' },
        args: { to: '{whom}', subject: '{topic.head}', body: '{topic.whole}' },
      },
    ],
  },
  {
    says: {
      en: [
        '<pass> [<the_one>] {what} to {whom} <note> {topic}',
        '<pass> [<the_one>] {what} to {whom} : {topic}',
      ],
    },
    among: AMONG,
    plan: forwarding({ note: '{topic.whole}' }),
  },
  {
    says: {
      en: ['<pass> [<the_one>] {what} to {whom}', '<pass> {whom} [<the_one>] {what} <letter>'],
      de: [
        '(leite|schick|schicke) die <letter> (von|über) {what} an {whom} weiter',
        '(leite|schick|schicke) (die|den|das) {what} an {whom} weiter',
      ],
    },
    among: AMONG,
    plan: forwarding(),
  },
]
