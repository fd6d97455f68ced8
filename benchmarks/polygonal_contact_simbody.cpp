// Simbody's ElasticFoundationForce of a triangulated ball on a half-space: force and time of a call.
// Reads vertices, faces, depths and attitudes from standard input, writes one line a depth: forces, seconds.
#include <ctime>
#include <iostream>
#include <vector>

#include "Simbody.h"

using namespace SimTK;

int main() {
    int vertexCount, faceCount;
    double modulus, radius;
    std::cin >> vertexCount >> faceCount >> modulus >> radius;
    Array_<Vec3> vertices;
    Array_<int> faces;
    for (int i = 0; i < vertexCount; ++i) {
        Vec3 v;
        std::cin >> v[0] >> v[1] >> v[2];
        vertices.push_back(v);
    }
    for (int i = 0; i < 3 * faceCount; ++i) {
        int k;
        std::cin >> k;
        faces.push_back(k);
    }
    int depthCount, turnCount;
    std::cin >> depthCount >> turnCount;
    std::vector<double> depths(depthCount);
    for (double& d : depths) std::cin >> d;
    std::vector<Quaternion> turns;
    for (int i = 0; i < turnCount; ++i) {
        double w, x, y, z;
        std::cin >> w >> x >> y >> z;
        turns.push_back(Quaternion(w, x, y, z));
    }

    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    GeneralContactSubsystem contacts(system);
    ContactSetIndex set = contacts.createContactSet();
    Body::Rigid body(MassProperties(1.0, Vec3(0), Inertia(1)));
    MobilizedBody::Free ball(matter.updGround(), Transform(), body, Transform());
    contacts.addBody(set, ball, ContactGeometry::TriangleMesh(vertices, faces), Transform());
    // Simbody's half-space lies at x > 0; turned so that it is z < 0.
    contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(), Transform(Rotation(Pi / 2, YAxis), Vec3(0)));
    ElasticFoundationForce force(forces, contacts, set);
    force.setBodyParameters(ContactSurfaceIndex(0), modulus, 0, 0, 0, 0);
    State state = system.realizeTopology();
    for (double depth : depths) {
        std::vector<double> found;
        double spent = 0;
        for (const Quaternion& q : turns) {
            ball.setQToFitTransform(state, Transform(Rotation(q), Vec3(0, 0, radius * (1 - depth))));
            system.realize(state, Stage::Velocity);
            const std::clock_t start = std::clock();
            system.realize(state, Stage::Dynamics);
            spent += double(std::clock() - start) / CLOCKS_PER_SEC;
            found.push_back(system.getRigidBodyForces(state, Stage::Dynamics)[ball.getMobilizedBodyIndex()][1][2]);
        }
        for (double f : found) std::cout << f << " ";
        std::cout << spent / turns.size() << std::endl;
    }
}
