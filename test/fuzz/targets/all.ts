/** Every boundary that is fuzzed, in one list. Called by `fuzz.test.ts` and `main.ts`. */
import type { Target } from '../target.ts'
import { CREDENTIAL_TARGETS } from './credentials.ts'
import { DOCUMENT_TARGETS } from './documents.ts'
import { EDGE_TARGETS } from './edge.ts'
import { EDGE_PART_TARGETS } from './edge-part.ts'
import { FLOW_TARGETS } from './flow.ts'
import { HOME_TARGETS } from './home.ts'
import { LINK_TARGETS } from './link.ts'
import { MODEL_TARGETS } from './models.ts'
import { PLACE_TARGETS } from './place.ts'
import { PLAN_TARGETS } from './plans.ts'
import { PROMPT_TARGETS } from './prompts.ts'
import { SEALED_TARGETS } from './sealed.ts'
import { SERVICE_TARGETS } from './services.ts'
import { SLACK_TARGETS } from './slack.ts'
import { SOCIAL_TARGETS } from './social.ts'
import { TOOL_TARGETS } from './tools.ts'
import { WORD_TARGETS } from './words.ts'

/** Those that a thread can run. */
export const threadable = (): readonly Target[] => TARGETS.filter(({ process = false }) => !process)

export const TARGETS: readonly Target[] = [
  ...FLOW_TARGETS,
  ...PLAN_TARGETS,
  ...LINK_TARGETS,
  ...EDGE_TARGETS,
  ...EDGE_PART_TARGETS,
  ...HOME_TARGETS,
  ...SEALED_TARGETS,
  ...CREDENTIAL_TARGETS,
  ...SLACK_TARGETS,
  ...TOOL_TARGETS,
  ...SOCIAL_TARGETS,
  ...SERVICE_TARGETS,
  ...DOCUMENT_TARGETS,
  ...WORD_TARGETS,
  ...PROMPT_TARGETS,
  ...MODEL_TARGETS,
  ...PLACE_TARGETS,
]
