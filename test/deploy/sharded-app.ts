import { App } from "aws-cdk-lib";
import { loadJobs, ScheduledFunctionsStack } from "../../lib/infra/index.ts";

const app = new App();
const stage: string = app.node.getContext("stage");
new ScheduledFunctionsStack(app, `Sharded-${stage}`, { stage, jobs: await loadJobs("functions"), shards: 2 });
