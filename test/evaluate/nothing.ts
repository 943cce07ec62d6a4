/** An expectation that lists nothing: everything must be as it was. For the tests of how a request is judged. */
import type { Expect } from '../../bench/evaluate/case.ts'

export const NOTHING: Expect = {
  ...{ added: [], changed: [], removed: [], sent: [], drafted: [], archived: [], trashed: [] },
  ...{ reminders: [], remindersGone: [], tasks: [], tasksDone: [], remembered: [], forgotten: [] },
  ...{ contacts: [], jobs: [], jobsGone: [], answer: [], answerNot: [], asks: false },
}
