/** Further typed requests about Notion, for the embedded planner. Data only. Called by phrases.ts. */

export const TYPED = {
  'notion.search': {
    en: [
      '(search|look) [in] [my] notion for {what}',
      '(find|look for|look up) {what} in [my] notion',
      '(anything|something|what is there) about {what} in [my] notion',
      'what does [my] notion (have|say) (on|about) {what}',
    ],
    de: ['(suche|such) [bitte] in notion nach {what}', '(finde|find) {what} in notion'],
  },
  'notion.read_page': {
    en: [
      '(read|open|show|summarize|summarise) [me] [my|the] notion page {page}',
      '(read|open|show) [me] [the] page {page} (in|from) notion',
      'what is on my notion page {page}',
    ],
    de: ['(zeig|zeige|öffne|lies) [mir] [die] notion seite {page}'],
  },
  'notion.query_db': {
    en: ['(show|list) [me] [my|the] notion database {page}', '(what is|whats) in my notion database {page}'],
  },
} as const
