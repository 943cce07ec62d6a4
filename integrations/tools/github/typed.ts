/** Further typed requests about GitHub, for the embedded planner. Data only. Called by phrases.ts. */

const PRS = '(pull requests|prs|pull request|pr)'

export const TYPED = {
  'github.list_prs': {
    en: [
      `(any|do i have|are there) [any] ${PRS} [waiting] [for me] [to review|for review]`,
      `(what|which) ${PRS} (should|do i need to|must) i review`,
      '(anything|something|what) (to|should i|do i have to) review',
      '[my] (review requests|reviews) [on github]',
      `${PRS} (waiting for me|to review|for review)`,
    ],
    de: ['(gibt es|habe ich|sind) [offene] pull requests für mich', 'was muss ich reviewen'],
  },
  'github.list_prs#2': {
    en: [`[show|list] [me] my [open] ${PRS} [on github]`, `how are my ${PRS} doing`],
    de: ['[zeig|zeige] [mir] meine pull requests'],
  },
  'github.list_notifications': {
    en: [
      '(any|anything|whats|what is) new [on|from|at] github',
      '(check|show|open|read) [me] [my] github [notifications|inbox]',
      'github (notifications|news|inbox)',
    ],
    de: ['(was gibt es|gibt es was|gibt es etwas) neues (auf|bei) github', 'github benachrichtigungen'],
  },
} as const
