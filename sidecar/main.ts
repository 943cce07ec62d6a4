/** Where service units installed by version 0.1.0 start home. Must not do anything else. Called by systemd. */
import './main.js'
