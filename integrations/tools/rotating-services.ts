/** Services whose tokens rotate, and whose grant the owner types instead of signing in with a browser. Data only. Read by home's custody of secrets. */
import type { RotatingService } from './oauth-service.ts'
import { SLACK_ROTATION } from './slack/rotation.ts'

export const ROTATING_SERVICES: readonly RotatingService[] = [SLACK_ROTATION]
