/** Phrases of requests about Slack, and the plan of each. Data only. Collected by `npm run tables`. */

import { TYPED } from '#typed/slack'
import { type Phrases, words } from '../phrase.ts'

export const CHANNEL = '#[A-Za-z0-9_\\u00df-\\u1fff\\u3040-\\ud7ff-]{1,80}'

function step(tool: string, args: { readonly [name: string]: string }) {
  return [{ id: 's1', do: 'tool', tool, args }] as const
}

export const SLACK_PHRASES: Phrases = {
  typed: TYPED,
  shapes: {
    channel: { pattern: CHANNEL, example: '#general' },
    thread: {
      pattern:
        'https://[A-Za-z0-9.-]{1,100}\\.slack\\.com/archives/[CDG][A-Z0-9]{6,31}/p[0-9]{15,17}(?:\\?[^\\s]{1,100})?',
      example: 'https://acme.slack.com/archives/C0123ABCD/p1764230400000100',
    },
  },
  lists: {
    en: {
      on_slack: words('on Slack / in Slack / at Slack / from Slack / on my Slack'),
      read: words(`
        show / show me / read / read me / open / check / get me / summarise / summarize / sum up / give me a summary of / recap
        catch me up on / look at
      `),
      messages: words('messages / message / DMs / DM / direct messages / mentions / pings / posts'),
      not_answered: words("have I not answered / haven't I answered / did I not answer / didn't I answer"),
      waits: words('is waiting for / waits for / is waiting on / needs / wants / expects'),
      answer_of_mine: words(
        'my answer / my reply / an answer / a reply / an answer from me / a reply from me / me',
      ),
    },
    de: {
      on_slack: words('auf Slack / in Slack / bei Slack / im Slack'),
      read: words('zeig / zeige / zeig mir / zeige mir / lies / lies mir / öffne'),
      messages: words('Nachrichten / Nachricht / Direktnachrichten / Erwähnungen'),
      slack_messages: words('Slack-Nachrichten / Slack Nachrichten / Slack-Erwähnungen'),
    },
  },
  asks: [
    {
      says: {
        en: [
          '(what|which <messages>) <not_answered> <on_slack>',
          '(whom|who) (do|must|should) I (still|have to|need to) [still] (answer|reply to) <on_slack>',
          "(whom|who) (have I not|haven't I|did I not|didn't I) (answered|answer|replied to|reply to) <on_slack>",
          'who <waits> <answer_of_mine> <on_slack>',
          '[show|show me|list|any|are there|do I have] [any|my|the] (unanswered|open|pending) (Slack <messages>|<messages> <on_slack>)',
          '(did I miss|have I missed|do I owe) (anything|anyone a reply|anybody a reply|something) <on_slack>',
        ],
        de: [
          'was habe ich (auf|in|bei) Slack [noch] nicht beantwortet',
          'wem muss ich <on_slack> noch antworten',
          'wer wartet <on_slack> auf [eine|meine] Antwort [von mir]',
          '[<read>|gibt es|habe ich] [meine] (unbeantwortete|offene) (<slack_messages>|<messages> <on_slack>)',
        ],
      },
      plan: step('slack.list_unanswered', {}),
    },
    {
      says: {
        en: [
          '(search|look through) [my] Slack for {what}',
          '(find|search for|look for) {what} <on_slack>',
          '(find|search for|look for|show|show me) [the|my] Slack <messages> (about|with|on) {what}',
        ],
        de: ['(suche|such|durchsuche) [in|auf|bei] Slack nach {what}', '(finde|suche) {what} <on_slack>'],
      },
      plan: step('slack.search', { words: '{what}' }),
    },
    {
      says: {
        en: [
          "(what is|what's|whats|anything|is there anything) (new|happening|going on) in {channel} [<on_slack>]",
          '<read> [the] [Slack] [channel] {channel} [<on_slack>]',
          'what (did I miss|have I missed|are they saying|is being said|are people saying|was said) in {channel} [<on_slack>]',
        ],
        de: [
          '(was gibt es|gibt es etwas|gibt es was) Neues in {channel} [<on_slack>]',
          '<read> [den] [Kanal] {channel} [<on_slack>]',
          'fasse [den] [Kanal] {channel} zusammen',
          'was habe ich in {channel} verpasst',
        ],
      },
      plan: step('slack.read_channel', { channel: '{channel}' }),
    },
    {
      says: {
        en: [
          '<read> [my|the] (Slack <messages>|<messages> <on_slack>) (with|from) {name}',
          '<read> [my|the] <messages> (with|from) {name} <on_slack>',
          'what did {name} (say|write|write me|tell me) <on_slack>',
        ],
        de: [
          '<read> [meine|die] <messages> (mit|von) {name} <on_slack>',
          'was hat {name} [mir] <on_slack> geschrieben',
        ],
      },
      plan: step('slack.read_channel', { channel: '{name}' }),
    },
    {
      says: {
        en: [
          '<read> [the|this] [Slack] [thread] {thread}',
          "(what is|what's) [in] [the|this] thread {thread} [about]",
        ],
        de: [
          '<read> [den|diesen] [Slack-Thread|Thread] {thread}',
          'fasse [den|diesen] [Thread] {thread} zusammen',
        ],
      },
      addressed: true,
      plan: step('slack.read_thread', { thread: '{thread}' }),
    },
  ],
}
