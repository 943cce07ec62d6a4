CREATE TABLE `feed_items` (
	`principal` text NOT NULL,
	`feed` text NOT NULL,
	`digest` text NOT NULL,
	`task` text NOT NULL,
	`told` integer NOT NULL,
	`seen` integer NOT NULL,
	PRIMARY KEY(`principal`, `feed`, `digest`)
);
--> statement-breakpoint
CREATE INDEX `feed_items_seen` ON `feed_items` (`principal`,`seen`);