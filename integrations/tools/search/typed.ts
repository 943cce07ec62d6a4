/** More ways in which people ask for a search of the web, for the embedded planner. Data only. Called by phrases.ts. */

const WEB = '(web|internet|net)'
const ONLINE = `(online|on the ${WEB}|on google|on duckduckgo)`

export const TYPED = {
  'web.search': {
    en: [
      `search [the] ${WEB} for {what}`,
      `search ${ONLINE} for {what}`,
      `(look|search|find|check) [up] [for] {what} ${ONLINE}`,
      `look {what} up ${ONLINE}`,
      `(google|duckduckgo) [for] {what}`,
      `(web|internet|online) search [for] {what}`,
      `(do|make|run) a (web|google|internet) search (for|on|about) {what}`,
      `what does the ${WEB} say about {what}`,
      `what does google say about {what}`,
      `(find|look) [out] ${ONLINE} {what}`,
    ],
    de: [
      '(suche|such|suchst du) [bitte] im (internet|netz|web) nach {what}',
      '(google|googel|googele) [mal] [bitte] [nach] {what}',
      '(suche|such) [bitte] online nach {what}',
    ],
  },
} as const
