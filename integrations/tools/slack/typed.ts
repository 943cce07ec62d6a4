/** More ways in which people type requests about Slack, for the embedded planner. Data only. Called by phrases.ts. */

export const TYPED = {
  'slack.list_unanswered': {
    en: [
      '[any|show my|my] unanswered slack (messages|dms|mentions)',
      '(what|who) (did i not|have i not|didnt i) (answer|answered|reply to) (on|in) slack',
      'who (is waiting|waits) for (me|my answer|my reply) (on|in) slack',
      'does (anybody|somebody|anyone) wait for (me|my answer|a reply) (on|in) slack',
      'slack (messages|mentions) i (did not answer|have not answered|missed)',
    ],
    de: [
      'unbeantwortete (slack nachrichten|nachrichten auf slack)',
      'was habe ich auf slack (nicht beantwortet|verpasst)',
      'wer wartet (auf|bei) slack auf (mich|meine antwort)',
    ],
  },
  'slack.search': {
    en: ['(search|look through) slack for {what}', '(find|search) {what} (on|in) slack'],
    de: ['(suche|such) (auf|in) slack nach {what}', '(durchsuche|durchsuch) slack nach {what}'],
  },
} as const
