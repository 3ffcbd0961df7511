// A manager as controller-runtime's documentation recommends: a foreign client of the API server under test.
package main

import (
	"flag"
	"os"

	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	namespace := flag.String("namespace", "default", "the only namespace that is looked at")
	flag.Parse()
	ctrl.SetLogger(klog.NewKlogr())
	if err := run(*namespace); err != nil {
		ctrl.Log.Error(err, "the manager failed")
		os.Exit(1)
	}
	ctrl.Log.Info("the manager ended")
}

func run(namespace string) error {
	scheme := clientgoscheme.Scheme
	if err := addToScheme(scheme); err != nil {
		return err
	}
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:                        scheme,
		Cache:                         cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		LeaderElection:                true,
		LeaderElectionID:              "go-manager",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
		Metrics:                       metricsserver.Options{BindAddress: "0"},
		HealthProbeBindAddress:        "0",
	})
	if err != nil {
		return err
	}
	r := &reconciler{Client: mgr.GetClient(), events: mgr.GetEventRecorder("go-manager")}
	if err := r.setup(mgr); err != nil {
		return err
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}
