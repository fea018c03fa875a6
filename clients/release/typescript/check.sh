step install
npm install --no-audit --no-fund "$RELEASE"/npm/chitarrella-client-*.tgz typescript @types/node@20
npx tsc

step play
node main.js "http://$REST" >match_id
