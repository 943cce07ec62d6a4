/** Phrases of searches of the web, and their plan. Data only. Collected by `npm run tables`. */
import { type Phrases, words } from '../phrase.ts'
import { SEARCH_TYPED } from './typed.ts'

export const SEARCH_PHRASES: Phrases = {
  typed: SEARCH_TYPED,
  lists: {
    en: {
      web: words('web / internet / net / world wide web'),
      online: words(
        'online / on the web / on the internet / on the net / in the internet / on google / on duckduckgo',
      ),
      /** What is searched elsewhere than on the web. */
      own: words(`
        mail / mails / email / emails / e-mail / e-mails / inbox / mailbox / message / messages / letter / letters
        calendar / event / events / appointment / appointments / meeting / meetings / memory / notes / note
        contact / contacts / reminder / reminders / task / tasks / file / files / folder / my / our / mine
        invoice / invoices / receipt / receipts / attachment / attachments / it / them
      `),
    },
  },
  asks: [
    {
      says: {
        en: [
          '(search for|search|look up|look for|look|find out|find) {what} <online> - <own>',
          'look {what} up <online> - <own>',
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'web.search', args: { words: '{what}' } }],
    },
    {
      says: {
        en: [
          '(search|search on|look on|look through|browse) [the] <web> for {topic}',
          '(search|look) <online> for {topic}',
          '(web|internet|online|google) search [for] {topic}',
          '(do|make|run) a (web|internet|google) search (for|on|about) {topic}',
          '(google|duckduckgo) [for] {topic}',
          'find out <online> {topic}',
          'search for {topic} - <own>',
          'what does (the <web>|google) say about {topic}',
        ],
        de: [
          '(suche|such) [bitte] (im internet|im netz|im web|online) nach {topic}',
          '(googel|googele|google) [mal|bitte] [nach] {topic}',
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'web.search', args: { words: '{topic}' } }],
    },
  ],
}
