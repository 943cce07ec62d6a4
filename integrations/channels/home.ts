/** Channel packages that can run at home, one line each. Called by home only, so that the edge bundles none of it. */
import type { HomePackage } from './runtime/home-package.ts'
import { SLACK_HOME } from './slack/home.ts'
import { TELEGRAM_HOME } from './telegram/home.ts'
import { TERMINAL_HOME } from './terminal/home.ts'

export const HOME_PACKAGES: readonly HomePackage[] = Object.freeze([TERMINAL_HOME, TELEGRAM_HOME, SLACK_HOME])
